// Text of corpora and models enters the page here and in detail.js, by textContent alone.

/** Make an element; properties are set on it, children are elements or text. */
function make(name, properties, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key === "text") made.textContent = value;
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Group flat marks (item, kind, start, end, ...) into spans. */
function spansOf(marks) {
  const spans = [];
  for (let i = 0; i < marks.length; i += 4) {
    spans.push({ item: marks[i], kind: marks[i + 1], start: marks[i + 2], end: marks[i + 3] });
  }
  return spans;
}

/**
 * Put a stretch of a text into an element, gold titles marked.
 * spans count from the start of the text that `from` counts from; current is the row's item.
 */
function putMarked(element, text, spans, from, current, kinds, several) {
  const to = from + text.length;
  const inside = spans
    .filter((span) => span.end > from && span.start < to)
    .map((span) => ({
      ...span,
      start: Math.max(span.start, from) - from,
      end: Math.min(span.end, to) - from,
    }));
  const cuts = new Set([0, text.length]);
  inside.forEach((span) => cuts.add(span.start).add(span.end));
  const places = [...cuts].sort((a, b) => a - b);
  for (let i = 0; i + 1 < places.length; i += 1) {
    const [start, end] = [places[i], places[i + 1]];
    const over = inside.filter((span) => span.start <= start && span.end >= end);
    const piece = text.slice(start, end);
    element.append(over.length ? markOf(piece, over, end, current, kinds, several) : piece);
  }
}

function markOf(piece, over, end, current, kinds, several) {
  const best = Math.min(...over.map((span) => span.kind));
  const items = [...new Set(over.map((span) => span.item))].sort((a, b) => a - b);
  const own = items.includes(current) ? " own" : "";
  const mark = make("mark", { class: `is-${kinds[best]}${own}` });
  const names = items.map((item) => item + 1).join(", ");
  mark.append(make("span", { class: "unseen", text: `[gold ${names}: ` }), piece);
  mark.append(make("span", { class: "unseen", text: "]" }));
  const done = over.filter((span) => span.end === end && kinds[span.kind] !== "word");
  if (several && done.length) {
    const ends = [...new Set(done.map((span) => span.item + 1))].join(",");
    mark.append(make("sup", { "aria-hidden": "true", text: ends }));
  }
  return mark;
}
