/**
 * Globals that every host has (Node ≥ 22, Chromium) and that the ES library does not declare. Declared once here so
 * that pure folders need neither node nor DOM types. Members only as far as we use them.
 */
interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare var AbortController: { new (): AbortController; readonly prototype: AbortController };

interface TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}
declare var TextEncoder: { new (): TextEncoder; readonly prototype: TextEncoder };

interface TextDecoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}
declare var TextDecoder: {
  new (label?: string, options?: { fatal?: boolean }): TextDecoder;
  readonly prototype: TextDecoder;
};

declare function queueMicrotask(task: () => void): void;
