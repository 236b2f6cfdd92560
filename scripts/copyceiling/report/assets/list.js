// The list of chosen rows: a page at a time, so that its size does not matter.

const PER_PAGE = 50;

/** Pages of rows in a table; calls back when a row is opened. */
class RowList {
  constructor(evidence, parts, open) {
    this.evidence = evidence;
    this.parts = parts;
    this.open = open;
    this.rows = [];
    this.page = 0;
    this.filters = {};
    this.current = -1;
    const turn = (name, to) => parts[name].addEventListener("click", () => this.turn(to()));
    turn("first", () => 0);
    turn("previous", () => this.page - 1);
    turn("next", () => this.page + 1);
    turn("last", () => this.pages - 1);
    parts.body.addEventListener("keydown", (event) => this.key(event));
    parts.body.addEventListener("click", (event) => this.click(event));
  }

  get pages() {
    return Math.max(1, Math.ceil(this.rows.length / PER_PAGE));
  }

  /** Show rows, the page that holds the current one first. */
  show(rows, filters, current) {
    this.rows = rows;
    this.filters = filters;
    this.current = current;
    this.turn(Math.max(0, Math.floor(rows.indexOf(current) / PER_PAGE)));
  }

  turn(page) {
    this.page = Math.min(Math.max(page, 0), this.pages - 1);
    const start = this.page * PER_PAGE;
    const shown = this.rows.slice(start, start + PER_PAGE);
    this.parts.body.replaceChildren(...shown.map((row) => this.line(row)));
    this.parts.place.textContent = this.rows.length
      ? `Rows ${start + 1} to ${start + shown.length} of ${this.rows.length.toLocaleString("en")}`
      : "No rows";
    const [first, last] = [this.page === 0, this.page === this.pages - 1];
    this.parts.first.disabled = this.parts.previous.disabled = first;
    this.parts.next.disabled = this.parts.last.disabled = last;
  }

  line(row) {
    const { evidence, filters } = this;
    const what = evidence.row(row);
    const cell = evidence.cell(row, filters.matcher || "paper", filters.policy || "as_received");
    const found = evidence.rows.found[row];
    const path = what.item < 0 ? "" : found === UNKNOWN ? "not stated" : evidence.paths[found];
    const href = formatAddress(evidence.addressOf(row), filters);
    const name = [what.question.id, what.title, what.model, what.arm].filter(Boolean).join(", ");
    const link = make("a", { href, "aria-label": name, text: what.question.id });
    const line = make("tr", { "data-row": row }, make("th", { scope: "row" }, link));
    if (row === this.current) line.setAttribute("aria-current", "true");
    line.append(
      make("td", { text: what.title }),
      make("td", { class: "of-model", text: what.model }),
      make("td", { class: "of-arm", text: what.arm }),
      make("td", {}, cell ? badge(cell) : ""),
      make("td", { class: "short", text: path.replace("_", " ") }),
      make("td", { class: "of-status", text: what.status }),
    );
    return line;
  }

  click(event) {
    const line = event.target.closest("tr");
    if (!line || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    // A click made by the keyboard has no count of presses.
    this.open(Number(line.dataset.row), event.detail ? "click" : "enter");
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.rows.indexOf(this.current);
    const steps = {
      ArrowDown: place + 1,
      ArrowUp: place - 1,
      PageDown: place + PER_PAGE,
      PageUp: place - PER_PAGE,
      Home: 0,
      End: this.rows.length - 1,
    };
    if (!(event.key in steps) || !this.rows.length) return;
    event.preventDefault();
    const to = Math.min(Math.max(steps[event.key], 0), this.rows.length - 1);
    this.open(this.rows[to], "key");
  }

  /** Scroll the list, and nothing around it, so far that a line is in view. */
  reveal(line) {
    const box = this.parts.box;
    const head = this.parts.body.previousElementSibling.offsetHeight;
    const [top, bottom] = [line.offsetTop - head, line.offsetTop + line.offsetHeight];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }

  /** Mark a row as the current one; its page is turned up if it is in the list. */
  select(row, focus) {
    this.current = row;
    const place = this.rows.indexOf(row);
    if (place >= 0 && Math.floor(place / PER_PAGE) !== this.page) {
      this.turn(Math.floor(place / PER_PAGE));
    }
    this.parts.body.querySelectorAll("tr").forEach((line) => {
      const own = Number(line.dataset.row) === row;
      if (own) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
      if (own && focus) line.querySelector("a").focus({ preventScroll: true });
      if (own) this.reveal(line);
    });
  }
}
