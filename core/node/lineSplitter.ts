/** Bytes to lines, for logs: lines may come in pieces, and pieces may end inside a character. Memory is bounded. */
export class LineSplitter {
  private parts: Buffer[] = [];
  private held = 0;
  private readonly longest: number;
  private cut = 0;

  /** `longest`: bytes of a line kept before the rest of it is dropped. */
  constructor(longest = 1 << 20) {
    this.longest = longest;
  }

  /** Bytes of the line that is not complete yet. */
  get pending(): number {
    return this.held;
  }

  /** The incomplete last line as it stands, without taking it. */
  peek(): string {
    return Buffer.concat(this.parts).toString('utf8');
  }

  /** Lines that were longer than `longest` since the last call, and so lost their end. */
  takeCut(): number {
    const count = this.cut;
    this.cut = 0;
    return count;
  }

  /** Lines completed by this chunk, without their `\n` or `\r\n`. The chunk may be reused after the call. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.hold(chunk.subarray(start, end));
      lines.push(this.take());
      start = end + 1;
    }
    this.hold(chunk.subarray(start));
    // What stays is copied: the caller reads into the same buffer again.
    const last = this.parts.at(-1);
    if (last !== undefined) this.parts[this.parts.length - 1] = Buffer.from(last);
    return lines;
  }

  /** The incomplete last line, when there is one. */
  flush(): string | undefined {
    return this.held === 0 && this.parts.length === 0 ? undefined : this.take();
  }

  private hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const room = this.longest - this.held;
    // `held` counts on past the limit: that marks the line as cut.
    const kept = bytes.length > room ? bytes.subarray(0, Math.max(0, room)) : bytes;
    this.held += bytes.length;
    if (kept.length > 0) this.parts.push(kept);
  }

  private take(): string {
    const bytes = this.parts.length === 1 ? this.parts[0] : Buffer.concat(this.parts);
    if (this.held > this.longest) this.cut++;
    this.parts = [];
    this.held = 0;
    const text = bytes?.toString('utf8') ?? '';
    return text.endsWith('\r') ? text.slice(0, -1) : text;
  }
}
