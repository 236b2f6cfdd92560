// The evidence browser: controls, list and detail, kept in step with the page's address.

const ANY = { "": "any" };
const CELL_CHOICES = {
  n11: "n11 exposed, recovered",
  n10: "n10 exposed, left out",
  n01: "n01 recovered unexposed",
  n00: "n00 neither",
  "n11.n10.n1x": "exposed",
  "n11.n01": "recovered",
  "n1x.n0x": "recovery not stated",
};
const POLICY_CHOICES = {
  as_received: "scored as received",
  as_wrong: "scored 0",
  complete_case: "left out with their pair",
};
const FLAG_WORDS = {
  group: "group", type: "asks for", compliant: "compliant omission", cut: "either arm cut",
  retried: "retried", audit: "audit", category: "sampled for the audit as", role: "role",
  gate: "quote gate", repair: "repaired quote", form: "form",
};

class Browser {
  constructor(evidence, readers) {
    this.evidence = evidence;
    this.readers = readers;
    this.filters = {};
    this.chosen = [];
    const byId = (id) => document.getElementById(id);
    this.form = byId("evidence-form");
    this.detail = byId("evidence-detail");
    this.count = byId("evidence-count");
    this.extra = byId("evidence-extra");
    this.means = byId("evidence-means");
    this.list = new RowList(
      evidence,
      {
        body: byId("evidence-rows"),
        box: byId("evidence-list"),
        place: byId("page-place"),
        first: byId("page-first"),
        previous: byId("page-previous"),
        next: byId("page-next"),
        last: byId("page-last"),
      },
      (row, how) => this.open(row, how),
    );
    this.fillControls();
    this.form.addEventListener("input", () => this.read());
    this.form.addEventListener("submit", (event) => event.preventDefault());
    byId("evidence-reset").addEventListener("click", () => this.go(null, {}));
    this.detail.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.list.select(this.list.current, true);
    });
  }

  /** Give each control the values that occur. */
  fillControls() {
    const { evidence } = this;
    const plain = (labels) => Object.fromEntries(labels.filter(Boolean).map((l) => [l, l]));
    const labels = evidence.verdicts.map((verdict) => verdict.label).filter(Boolean);
    const choices = {
      part: plain(evidence.parts),
      model: plain(evidence.models),
      arm: plain(evidence.arms),
      domain: plain([...evidence.domains].sort()),
      template: plain(evidence.templates),
      status: plain(evidence.statuses),
      label: plain([...new Set(labels)].sort()),
      judge: plain([...new Set(evidence.verdicts.map((verdict) => verdict.judge))].sort()),
      cell: CELL_CHOICES,
    };
    for (const [name, values] of Object.entries(choices)) {
      this.fill(name, { ...ANY, ...values });
      // A choice of one is none.
      this.control(name).parentElement.hidden = Object.keys(values).length < 2;
    }
    this.fill("matcher", { paper: "paper's", strict: "strict" });
    this.fill("policy", POLICY_CHOICES);
  }

  control(name) {
    return this.form.elements.namedItem(name);
  }

  fill(name, values) {
    const options = Object.entries(values).map(([value, text]) => make("option", { value, text }));
    this.control(name).replaceChildren(...options);
  }

  /** Take the filters from the controls. */
  read() {
    const kept = Object.fromEntries(
      Object.keys(FLAG_WORDS).filter((name) => this.filters[name]).map((n) => [n, this.filters[n]]),
    );
    for (const control of this.form.elements) {
      if (control.name && control.value) kept[control.name] = control.value;
    }
    this.go(null, kept);
  }

  /** Move to an address without leaving an entry in the history. */
  go(row, filters) {
    const address = row === null ? null : this.evidence.addressOf(row);
    const hash = formatAddress(address, filters);
    if (hash === window.location.hash) this.follow({ row: address, filters });
    else window.location.replace(hash);
  }

  /** Open a row of the list. */
  open(row, how) {
    this.focus = { key: "list", enter: "detail" }[how];
    const hash = formatAddress(this.evidence.addressOf(row), this.filters);
    // Moving along the list leaves no entries in the history, opening a row does.
    if (how === "key" || hash === window.location.hash) this.go(row, this.filters);
    else window.location.hash = hash;
  }

  /** Show what an address names. */
  follow({ row, filters }) {
    const { evidence } = this;
    const same = formatAddress(null, filters) === formatAddress(null, this.filters);
    if (!same || !this.started) {
      this.filters = filters;
      this.started = true;
      this.chosen = chooseRows(evidence, filters, this.readers);
      this.write();
    }
    const found = row === null ? -1 : evidence.rowAt(row);
    const shown = row === null && this.chosen.length ? this.chosen[0] : found;
    if (!same || this.list.rows !== this.chosen) this.list.show(this.chosen, filters, shown);
    this.list.select(shown, this.focus === "list");
    const heading = shown >= 0 ? showRow(this.detail, evidence, shown, filters) : this.nothing(row);
    if (this.focus === "detail") heading.focus();
    this.focus = null;
  }

  nothing(row) {
    const text = row === null ? "No row fits these choices." : `There is no row ${row}.`;
    const said = make("p", { class: "absent", tabindex: "-1", text });
    this.detail.replaceChildren(said);
    return said;
  }

  /** Set the controls to the filters, and say what they leave. */
  write() {
    for (const control of this.form.elements) {
      if (!control.name) continue;
      const value = this.filters[control.name] || DEFAULTS[control.name] || "";
      if (control.tagName === "SELECT" && ![...control.options].some((o) => o.value === value)) {
        control.append(make("option", { value, text: value.replaceAll(".", " or ") }));
      }
      if (control.value !== value) control.value = value;
      if (value && !(control.name in DEFAULTS)) control.parentElement.hidden = false;
    }
    const { items, bare, answers, questions } = countRows(this.evidence, this.chosen);
    const number = (n, what) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
    this.count.textContent =
      `${number(items, "gold item")} in ${number(answers, "answer")} ` +
      `to ${number(questions, "question")}` +
      (bare ? `; ${bare.toLocaleString("en")} of the answers have no gold, and a row each` : "");
    this.writeMeans();
    this.count.dataset.items = items;
    this.count.dataset.answers = answers;
    this.count.dataset.questions = questions;
    // A column that is the same in every row says nothing.
    const table = document.getElementById("evidence-table");
    for (const name of ["model", "arm", "status"]) {
      table.classList.toggle(`no-${name}`, Boolean(this.filters[name]));
    }
    this.writeExtra();
  }

  /** Say what the rows' mean recall is, where they are all that one model said in one arm. */
  writeMeans() {
    const means = meanRecalls(this.evidence, this.chosen, this.filters);
    this.means.hidden = means === null;
    if (means === null) return;
    this.means.textContent =
      `Mean over ${means.n.toLocaleString("en")} questions: recall ${means.recall.toFixed(3)}; ` +
      `a copy of what was shown ${means.ceiling.toFixed(3)}`;
    this.means.dataset.recall = means.recall;
    this.means.dataset.ceiling = means.ceiling;
  }

  /** Name the filters that a link set and no control shows, each with a way to drop it. */
  writeExtra() {
    const named = Object.keys(FLAG_WORDS).filter((name) => this.filters[name]);
    this.extra.hidden = !named.length;
    this.extra.replaceChildren(
      ...named.map((name) => {
        const yes = { 1: "yes", 0: "no" }[this.filters[name]] || this.filters[name];
        const text = `${FLAG_WORDS[name]}: ${yes}`;
        const drop = make("button", { type: "button", "aria-label": `Drop ${text}`, text: "×" });
        drop.addEventListener("click", () => {
          const rest = { ...this.filters };
          delete rest[name];
          this.go(null, rest);
        });
        return make("span", { class: "chip" }, text, drop);
      }),
    );
  }
}
