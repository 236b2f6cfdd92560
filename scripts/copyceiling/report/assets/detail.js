// The text of one row: question, what the model was shown, its answer, what judges said.

const CELLS = {
  n11: "exposed and recovered",
  n10: "exposed and left out",
  n01: "recovered without exposure",
  n00: "neither exposed nor recovered",
  n1x: "exposed; the rows at hand do not say whether it was recovered",
  n0x: "not exposed; the rows at hand do not say whether it was recovered",
};
const PATH_WORDS = {
  none: "not found",
  substring: "as a substring",
  word_bag: "by its words (word bag)",
  unmatchable: "unmatchable: the matcher cannot see this title",
  stated: "as its score row states",
};
const SAID = {
  label: "Label", score: "Grade, 0 to 5", role: "Role", confidence: "Confidence it states, 0 to 1",
  gate: "Quote gate", span: "Span given to the gate", reason: "Reason", fault: "Fault of the reply",
  status: "Ended", category: "Sampled for the audit as",
};

/** Show a row in an element. */
function showRow(element, evidence, row, filters) {
  const what = evidence.row(row);
  const matcher = filters.matcher || DEFAULTS.matcher;
  const policy = filters.policy || DEFAULTS.policy;
  const cell = evidence.cell(row, matcher, policy);
  const title = what.item < 0 ? `Answer to ${what.question.id}` : what.title;
  const heading = make("h3", { id: "evidence-title", tabindex: "-1", text: title });
  const link = (other) => formatAddress(evidence.addressOf(other), filters);
  element.replaceChildren(
    heading,
    cell ? make("p", { class: "verdict" }, badge(cell), ` ${CELLS[cell]}`) : make("p"),
    facts(evidence, row, what),
    make("h4", { text: "Question" }),
    make("p", { class: "text", text: evidence.texts[what.question.prompt] }),
    ...goldList(evidence, row, what, matcher, policy, link),
    ...answered(evidence, what),
    ...verdicts(evidence, row),
    ...reference(evidence, what),
    ...shownTo(evidence, what),
    ...others(evidence, row, what, matcher, policy, link),
  );
  return heading;
}

function badge(cell) {
  return make("span", { class: `cell ${cell}`, text: cell.replace("x", "?") });
}

function facts(evidence, row, what) {
  const list = make("dl", { class: "facts" });
  const add = (name, value) => {
    if (value) list.append(make("dt", { text: name }), make("dd", { text: value }));
  };
  add("Answer", `${what.model}, ${what.arm}, ended ${what.status}`);
  if (what.item >= 0) {
    const { shown, shownStrict, found, foundStrict } = evidence.rows;
    add("Exposed", how(evidence.paths[shown[row]], shownStrict[row]));
    add(
      "Recovered",
      found[row] === UNKNOWN
        ? `not stated item by item; ${evidence.answers.hits[what.answer]} in all`
        : how(evidence.paths[found[row]], foundStrict[row]),
    );
  }
  const asks = { any: "any one item answers it", all: "all items are asked for" };
  const about = [what.template, what.domain, asks[what.question.type]];
  add(`Question ${what.question.id}`, about.filter(Boolean).join(", "));
  const address = formatAddress(evidence.addressOf(row), {});
  list.append(
    make("dt", { text: "Address" }),
    make("dd", {}, make("a", { href: address, class: "address", text: address })),
  );
  return list;
}

function how(path, strict) {
  const words = PATH_WORDS[path];
  if (path === "none" || path === "unmatchable" || strict === UNKNOWN) return words;
  return `${words}${strict ? ", whole title at word boundaries" : ", not at word boundaries"}`;
}

function goldList(evidence, row, what, matcher, policy, link) {
  const { gold } = what.question;
  if (!gold.length) return [];
  const first = evidence.firstRow[what.answer];
  const entries = gold.map((title, item) => {
    const here = item === what.item;
    const name = here
      ? make("b", { "aria-current": "true", text: title })
      : make("a", { href: link(first + item), text: title });
    return make("li", {}, name, " ", badge(evidence.cell(first + item, matcher, policy)));
  });
  return [make("h4", { text: "Gold items" }), make("ol", { class: "gold" }, ...entries)];
}

function shownTo(evidence, what) {
  const input = evidence.answers.input[what.answer];
  const spans = spansOf(evidence.marks[input]);
  const several = what.question.gold.length > 1;
  const made = [make("h4", { text: "What the model was shown" })];
  let from = 0;
  evidence.inputs[input].forEach((message, place) => {
    if (place) from += 1; // messages are joined by one space
    const box = make("div", { class: "text shown" });
    message.forEach(([kind, text]) => {
      const piece = make("span", { class: `piece ${kind}` });
      const words = evidence.texts[text];
      putMarked(piece, words, spans, from, what.item, evidence.kinds, several);
      from += words.length;
      box.append(piece);
    });
    const role = place === evidence.inputs[input].length - 1 ? "User message" : "System message";
    made.push(make("h5", { text: role }), box);
  });
  return [...made, ...(spans.length ? [legend()] : [])];
}

function legend() {
  const sample = (kind) => make("mark", { class: `is-${kind}`, text: "name" });
  const entry = (kind, text) => make("li", {}, sample(kind), ` ${text}`);
  return make(
    "ul",
    { class: "legend" },
    entry("whole", "whole title"),
    entry("inside", "inside other words"),
    entry("word", "one of the words that earned word-bag credit"),
    entry("whole own", "this row's item"),
  );
}

function answered(evidence, what) {
  const heading = make("h4", { text: "Answer" });
  const text = evidence.answerText(what.answer);
  if (text === null) {
    const none = "The rows at hand hold no text of this answer, only how many gold items it names.";
    return [heading, make("p", { class: "absent", text: none })];
  }
  if (!text.trim()) return [heading, make("p", { class: "absent", text: "No text came." })];
  const box = make("div", { class: "text answer" });
  const spans = spansOf(evidence.answers.marks[what.answer]);
  const several = what.question.gold.length > 1;
  putMarked(box, text, spans, 0, what.item, evidence.kinds, several);
  return [heading, box];
}

function reference(evidence, what) {
  if (what.question.reference === UNKNOWN) return [];
  const points = what.question.points.map((point) => make("li", { text: point }));
  return [
    make("h4", { text: "Reference answer, as the judge was shown it" }),
    make("p", { class: "text", text: evidence.texts[what.question.reference] }),
    ...(points.length ? [make("ul", {}, ...points)] : []),
  ];
}

function verdicts(evidence, row) {
  const found = evidence.verdictsOf.get(row) || [];
  return found.flatMap((verdict) => {
    const list = make("dl", { class: "facts" });
    Object.entries(SAID).forEach(([name, words]) => {
      if (verdict[name] === undefined) return;
      list.append(make("dt", { text: words }), make("dd", { text: String(verdict[name]) }));
    });
    return [make("h4", { text: judgeName(verdict) }), list, ...quoteOf(verdict)];
  });
}

/** Return a verdict's quote; a grade has none. */
function quoteOf(verdict) {
  if (verdict.quote) {
    const heading = make("h5", { text: "What it quotes from the answer" });
    return [heading, make("blockquote", { class: "text", text: verdict.quote })];
  }
  if (verdict.label === undefined) return [];
  return [make("p", { class: "absent", text: "The rows at hand hold no quote of this verdict." })];
}

function judgeName(verdict) {
  return `Judge ${verdict.judge}${verdict.form ? `, form ${verdict.form}` : ""}`;
}

function others(evidence, row, what, matcher, policy, link) {
  const answers = evidence.answersOf.get(evidence.answers.question[what.answer]) || [];
  const entries = answers
    .filter((answer) => answer !== what.answer)
    .map((answer) => {
      const other = evidence.firstRow[answer] + Math.max(what.item, 0);
      const { model, arm } = evidence.row(other);
      const cell = evidence.cell(other, matcher, policy);
      const name = make("a", { href: link(other), text: `${model}, ${arm}` });
      return make("li", {}, name, " ", cell ? badge(cell) : "");
    });
  if (!entries.length) return [];
  const heading = make("h4", { text: "The same item in other answers" });
  return [heading, make("ul", { class: "others" }, ...entries)];
}
