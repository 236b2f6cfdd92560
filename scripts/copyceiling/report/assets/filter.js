// Which rows are shown, and the addresses that say so: #evidence?model=...&cell=n11 for a choice,
// #evidence/part/model/arm/question/item for a row, both at once for a row of a choice.

const DEFAULTS = { matcher: "paper", policy: "as_received" };
const COLUMNS = ["part", "model", "arm", "domain", "template", "status"];
const OF_VERDICT = { audit: "part", category: "category", label: "label", role: "role" };
Object.assign(OF_VERDICT, { gate: "gate", repair: "repair", judge: "judge", form: "form" });
const FLAGS = { cut: "cut", retried: "retried" };
const KNOWN = [
  ...COLUMNS, ...Object.keys(OF_VERDICT), ...Object.keys(FLAGS),
  "group", "type", "cell", "compliant", "matcher", "policy", "text",
];

/** Read an address; null if it is not one of the evidence. */
function parseAddress(hash) {
  const found = /^#evidence(?:\/([^?]*))?(?:\?(.*))?$/.exec(hash);
  if (!found) return null;
  const filters = {};
  for (const [name, value] of new URLSearchParams(found[2] || "")) {
    if (KNOWN.includes(name) && value) filters[name] = value;
  }
  return { row: found[1] || null, filters };
}

/** Write an address. */
function formatAddress(row, filters) {
  const kept = KNOWN.filter((name) => filters[name] && filters[name] !== DEFAULTS[name]);
  const query = new URLSearchParams(kept.map((name) => [name, filters[name]])).toString();
  return `#evidence${row ? `/${row}` : ""}${query ? `?${query}` : ""}`;
}

/** Return the numbers of the rows that filters leave, in order. */
function chooseRows(evidence, filters, readers) {
  const matcher = filters.matcher || DEFAULTS.matcher;
  const policy = filters.policy || DEFAULTS.policy;
  const answers = chooseAnswers(evidence, filters, policy, readers);
  const cells = filters.cell ? filters.cell.split(".") : null;
  const said = Object.keys(OF_VERDICT).filter((name) => filters[name]);
  const words = filters.text ? filters.text.toLowerCase() : "";
  const holds = words ? searcher(evidence, words) : null;
  const chosen = [];
  for (let row = 0; row < evidence.size; row += 1) {
    const answer = evidence.rows.answer[row];
    if (!answers[answer]) continue;
    if (cells && !cells.includes(evidence.cell(row, matcher, policy))) continue;
    if (filters.compliant && !fitsCompliance(evidence, row, filters, matcher, policy)) continue;
    if (said.length && !hasVerdict(evidence, row, filters, said)) continue;
    if (holds && !holds(row, answer)) continue;
    chosen.push(row);
  }
  return chosen;
}

/** Return for each answer whether the filters that are on whole answers leave it. */
function chooseAnswers(evidence, filters, policy, readers) {
  const { answers, questions } = evidence;
  const places = {};
  for (const name of COLUMNS) {
    const labels = evidence[name === "status" ? "statuses" : `${name}s`];
    if (filters[name]) places[name] = labels.indexOf(filters[name]);
  }
  const isReader = evidence.models.map((model) => readers.includes(model));
  return answers.question.map((number, answer) => {
    const question = questions[number];
    for (const name of Object.keys(places)) {
      const of = name in question ? question[name] : answers[name][answer];
      if (of !== places[name]) return false;
    }
    if (filters.group && isReader[answers.model[answer]] === (filters.group === "model")) {
      return false;
    }
    if (filters.type && question.type !== filters.type) return false;
    if (policy === "complete_case" && !answers.paired[answer]) return false;
    return Object.keys(FLAGS).every((name) => !filters[name] || answers[name][answer]);
  });
}

function fitsCompliance(evidence, row, filters, matcher, policy) {
  const omitted = evidence.cell(row, matcher, policy) === "n10";
  const compliant = omitted && evidence.compliant(row, matcher, policy);
  return filters.compliant === "1" ? compliant : !compliant;
}

function hasVerdict(evidence, row, filters, said) {
  const verdicts = evidence.verdictsOf.get(row) || [];
  return verdicts.some((verdict) =>
    said.every((name) => String(verdict[OF_VERDICT[name]]) === filters[name]),
  );
}

/** Return a test for words in question, gold title or answer; each text is searched once. */
function searcher(evidence, words) {
  const inText = evidence.texts.map((text) => text.toLowerCase().includes(words));
  return (row, answer) => {
    const { question, title } = evidence.row(row);
    const text = evidence.answers.text[answer];
    return (
      inText[question.prompt] ||
      title.toLowerCase().includes(words) ||
      (text !== UNKNOWN && inText[text])
    );
  };
}

/**
 * Say how many gold items, answers and questions the chosen rows are; `bare` are the answers to
 * questions without gold, which have a row but no item.
 */
function countRows(evidence, chosen) {
  const answers = new Set();
  const questions = new Set();
  let items = 0;
  for (const row of chosen) {
    const answer = evidence.rows.answer[row];
    answers.add(answer);
    questions.add(evidence.answers.question[answer]);
    if (evidence.rows.item[row] >= 0) items += 1;
  }
  const bare = chosen.length - items;
  return { items, bare, answers: answers.size, questions: questions.size };
}

// Filters that leave whole answers, all their items with them.
const WHOLE = ["part", "model", "arm", "domain", "template", "type", "matcher", "policy", "status"];

/**
 * Return mean recall and mean copy ceiling of one model's answers in one arm, as Table 4 has them:
 * over questions, where one that any item answers counts 1. Null where rows do not say.
 */
function meanRecalls(evidence, chosen, filters) {
  const whole = Object.keys(filters).every((name) => WHOLE.includes(name));
  if (!filters.model || !filters.arm || !whole) return null;
  const matcher = filters.matcher || DEFAULTS.matcher;
  const policy = filters.policy || DEFAULTS.policy;
  const found = new Map();
  for (const row of chosen) {
    if (evidence.rows.item[row] < 0) continue;
    const answer = evidence.rows.answer[row];
    if (!found.has(answer)) found.set(answer, { items: 0, recovered: 0, exposed: 0 });
    const recovered = evidence.recovered(row, matcher, policy);
    const sums = found.get(answer);
    sums.items += 1;
    sums.exposed += Number(evidence.exposed(row, matcher));
    if (recovered === null && matcher !== DEFAULTS.matcher) return null;
    // Rows that hold counts alone hold them by the paper's matcher.
    if (recovered === null) sums.recovered = Math.max(0, evidence.answers.hits[answer]);
    else sums.recovered += Number(recovered);
  }
  if (!found.size) return null;
  const means = { n: found.size, recall: 0, ceiling: 0 };
  for (const [answer, { items, recovered, exposed }] of found) {
    const any = evidence.questions[evidence.answers.question[answer]].type === "any";
    means.recall += (any ? Math.min(recovered, 1) : recovered / items) / found.size;
    means.ceiling += (any ? Math.min(exposed, 1) : exposed / items) / found.size;
  }
  return means;
}
