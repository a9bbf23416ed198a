/**
 * Skim: the text of an object without what its facts do not read: everything below its fields but metadata and status,
 * field sets of managedFields, what the status holds besides conditions. That is most of an object, and of what parsing
 * it costs. Spec: docs/spec/session.md (SES56).
 */

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * JSON of the same object with null in the place of each object and list that decodeRecord() does not look into. undefined:
 * written as nobody writes it (an escape in a name, an end that is missing); it is to be parsed whole.
 */
export function skimObject(text: string): string | undefined {
  const skim = new Skim(text);
  return skim.object(topLevel) ? skim.rest() : undefined;
}

/** What becomes of an object or a list, by the name of the field that holds it. */
type Reader = (skim: Skim, start: number, end: number) => boolean;

const topLevel: Reader = (skim, start, end) => {
  if (skim.isNamed('metadata', start, end)) return skim.object(inMetadata);
  return skim.isNamed('status', start, end) ? skim.object(inStatus) : skim.leaveOut();
};

const inMetadata: Reader = (skim, start, end) =>
  skim.isNamed('managedFields', start, end) ? skim.list(inManagedFields) : skim.pass();

const inManagedFields: Reader = (skim) => skim.leaveOut();

const inStatus: Reader = (skim, start, end) =>
  skim.isNamed('conditions', start, end) ? skim.pass() : skim.leaveOut();

class Skim {
  private readonly text: string;
  /** Where the next value begins, or what follows it. */
  private at = 0;
  private kept = '';
  private keptTo = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** What was kept, and all that was not gone through. */
  rest(): string {
    return this.kept + this.text.slice(this.keptTo);
  }

  isNamed(name: string, start: number, end: number): boolean {
    return end - start === name.length && this.text.startsWith(name, start);
  }

  /** The fields of an object, each object and list in it by `read`; whatever else it is stays. */
  object(read: Reader): boolean {
    const { text } = this;
    if (text.charCodeAt(this.at) !== openBrace) return this.pass();
    this.at++;
    for (;;) {
      const opening = text.charCodeAt(this.at);
      if (opening === closeBrace) {
        this.at++;
        return true;
      }
      if (opening !== quote) return false;
      const start = this.at + 1;
      let end = start;
      for (let code = text.charCodeAt(end); code !== quote; code = text.charCodeAt(++end))
        if (code === backslash || Number.isNaN(code)) return false;
      // Names and values stand without spaces in between, as every server and we ourselves write them.
      if (text.charCodeAt(end + 1) !== colon) return false;
      this.at = end + 2;
      const opens = text.charCodeAt(this.at);
      const isDone = opens === openBrace || opens === openBracket ? read(this, start, end) : this.pass();
      if (!isDone) return false;
      const after = text.charCodeAt(this.at);
      if (after === comma) this.at++;
      else if (after !== closeBrace) return false;
    }
  }

  /** The elements of a list, objects as object() reads them. */
  list(read: Reader): boolean {
    const { text } = this;
    if (text.charCodeAt(this.at) !== openBracket) return this.pass();
    this.at++;
    for (;;) {
      if (text.charCodeAt(this.at) === closeBracket) {
        this.at++;
        return true;
      }
      if (!this.object(read)) return false;
      const after = text.charCodeAt(this.at);
      if (after === comma) this.at++;
      else if (after !== closeBracket) return false;
    }
  }

  /** Leaves the value as it is. */
  pass(): boolean {
    const { text } = this;
    let depth = 0;
    for (let at = this.at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        at = this.endOfText(at);
        if (at < 0) return false;
      } else if (code === openBrace || code === openBracket) {
        depth++;
        continue;
      } else if (code === closeBrace || code === closeBracket || code === comma) {
        // What closes here, or goes on, is what the value stands in: it was a number or a word.
        if (depth === 0) {
          this.at = at;
          return true;
        }
        if (code === comma) continue;
        depth--;
      } else continue;
      if (depth > 0) continue;
      this.at = at + 1;
      return true;
    }
    return false;
  }

  /** The place of the quote that ends the text which begins at `start`; -1 when none does. */
  private endOfText(start: number): number {
    const { text } = this;
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) return at;
      if (code === backslash) at++;
    }
    return -1;
  }

  /** Takes null for the value. */
  leaveOut(): boolean {
    const from = this.at;
    if (!this.pass()) return false;
    this.kept += `${this.text.slice(this.keptTo, from)}null`;
    this.keptTo = this.at;
    return true;
  }
}
