// Evidence as the page carries it: base64 of deflated JSON, columns of numbers. See
// report/evidence/pack.py for what each column holds. UNKNOWN stands for what rows do not say.

const UNKNOWN = -1;
const VERSION = 1;

/** Unpack the evidence of the page; rejects with a message for people. */
async function unpack(text) {
  if (typeof DecompressionStream !== "function") {
    throw new Error(
      "This browser is too old to unpack the evidence (it lacks DecompressionStream). Open the " +
        "file in Chrome 80, Firefox 113, Safari 16.4 or later. Tables and figures need nothing.",
    );
  }
  let packed;
  try {
    const bytes = Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    packed = JSON.parse(await new Response(stream).text());
  } catch (error) {
    throw new Error(`The evidence in this file is damaged (${error.message}). Build it again.`);
  }
  if (packed.version !== VERSION) {
    throw new Error(`The evidence is of version ${packed.version}, this page reads ${VERSION}.`);
  }
  return new Evidence(packed);
}

/** The evidence, by row: a row is one gold item of one answer. */
class Evidence {
  constructor(packed) {
    Object.assign(this, packed);
    this.size = packed.rows.answer.length;
    const length = packed.answers.question.length;
    this.firstRow = new Int32Array(length).fill(-1);
    this.rowsOf = new Int32Array(length);
    packed.rows.answer.forEach((answer, row) => {
      if (this.firstRow[answer] < 0) this.firstRow[answer] = row;
      this.rowsOf[answer] += 1;
    });
    this.verdictsOf = new Map();
    packed.verdicts.forEach((verdict) =>
      verdict.rows.forEach((row) => {
        if (!this.verdictsOf.has(row)) this.verdictsOf.set(row, []);
        this.verdictsOf.get(row).push(verdict);
      }),
    );
    this.answersOf = new Map();
    packed.answers.question.forEach((question, answer) => {
      if (!this.answersOf.has(question)) this.answersOf.set(question, []);
      this.answersOf.get(question).push(answer);
    });
    this.places = new Map();
  }

  /** Return what is known of a row, labels as text. */
  row(row) {
    const answer = this.rows.answer[row];
    const question = this.questions[this.answers.question[answer]];
    return {
      row,
      answer,
      item: this.rows.item[row],
      question,
      part: this.parts[question.part],
      model: this.models[this.answers.model[answer]],
      arm: this.arms[this.answers.arm[answer]],
      status: this.statuses[this.answers.status[answer]],
      domain: this.domains[question.domain],
      template: this.templates[question.template],
      title: this.rows.item[row] < 0 ? "" : question.gold[this.rows.item[row]],
    };
  }

  /** Return the answer's text, null where the study's rows hold none. */
  answerText(answer) {
    const text = this.answers.text[answer];
    return text === UNKNOWN ? null : this.texts[text];
  }

  /** Return a row's address within the evidence. */
  addressOf(row) {
    const { part, model, arm, question, item } = this.row(row);
    return [part, model, arm, question.id, item < 0 ? "-" : item].map(encodeURIComponent).join("/");
  }

  /** Return the row of an address, -1 where there is none. */
  rowAt(address) {
    if (!this.places.size) {
      for (let row = 0; row < this.size; row += 1) this.places.set(this.addressOf(row), row);
    }
    return this.places.has(address) ? this.places.get(address) : -1;
  }

  /** Return whether the visible input exposes a row's item. */
  exposed(row, matcher) {
    if (matcher === "strict") return this.rows.shownStrict[row] === 1;
    return this.credits(this.rows.shown[row]);
  }

  /** Return whether the answer recovers a row's item; null where rows do not say. */
  recovered(row, matcher, policy) {
    const answer = this.rows.answer[row];
    const value = matcher === "strict" ? this.rows.foundStrict[row] : this.rows.found[row];
    const ended = this.statuses[this.answers.status[answer]];
    if (policy === "as_wrong" && ended !== "ok") return false;
    if (value === UNKNOWN) return null;
    return matcher === "strict" ? value === 1 : this.credits(value);
  }

  credits(path) {
    return ["substring", "word_bag", "stated"].includes(this.paths[path]);
  }

  /** Return a row's cell: n11, n10, n01 or n00; x for a recovery that rows do not say. */
  cell(row, matcher, policy) {
    if (this.rows.item[row] < 0) return "";
    const shown = this.exposed(row, matcher) ? "1" : "0";
    const found = this.recovered(row, matcher, policy);
    return `n${shown}${found === null ? "x" : Number(found)}`;
  }

  /** Return whether an omitted item's question was answered by another item. */
  compliant(row, matcher, policy) {
    const answer = this.rows.answer[row];
    if (this.questions[this.answers.question[answer]].type !== "any") return false;
    const first = this.firstRow[answer];
    for (let other = first; other < first + this.rowsOf[answer]; other += 1) {
      if (this.recovered(other, matcher, policy) === true) return true;
    }
    return false;
  }
}
