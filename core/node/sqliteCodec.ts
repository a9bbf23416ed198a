/**
 * How bytes of a session file are compressed. One leading byte names the method, so that a file written where zstd was
 * missing opens where it is there. Spec: docs/spec/session.md (SES25–SES27).
 */
import { DatabaseSync } from 'node:sqlite';
import zlib from 'node:zlib';

/**
 * Chosen by measuring (docs/adr/0001-session-log.md). small: lazy matching in a window over the whole block, because
 * the facts at its end repeat what its payloads say. quick: a fifth of the time, a tenth more bytes. Both with a checksum:
 * four bytes a blob, and a bit that flipped is never shown as something the cluster said.
 */
const { constants } = zlib;
const efforts = {
  small: {
    deflate: 6,
    zstd: {
      [constants.ZSTD_c_compressionLevel]: 6,
      [constants.ZSTD_c_checksumFlag]: 1,
      [constants.ZSTD_c_strategy]: constants.ZSTD_lazy2,
      [constants.ZSTD_c_windowLog]: 19,
      [constants.ZSTD_c_hashLog]: 18,
      [constants.ZSTD_c_chainLog]: 18,
      [constants.ZSTD_c_searchLog]: 5,
      [constants.ZSTD_c_minMatch]: 5,
    },
  },
  quick: {
    deflate: 1,
    zstd: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
  },
} as const;

/** What compression is to save, bytes or time. */
export type Effort = keyof typeof efforts;

const plainMethod = 0;
const zstdMethod = 1;
const deflateMethod = 2;

/** What this host's Node has. Node ≥ 22.19 has both; 22.15 lacks full-text search. */
export interface HostCapabilities {
  readonly zstd: boolean;
  readonly fullText: boolean;
}

/** Tries what a session would like to use. */
export function probeCapabilities(): HostCapabilities {
  return { zstd: typeof zlib.zstdCompressSync === 'function', fullText: probeFullText() };
}

function probeFullText(): boolean {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec('CREATE VIRTUAL TABLE probe USING fts5(line)');
    return true;
  } catch {
    return false; // Built without FTS5: the probe's question, not a failure.
  } finally {
    database.close();
  }
}

/** A sentence for each fallback in use, for the health page. */
export function capabilityHealth(capabilities: HostCapabilities): readonly string[] {
  return [
    ...(capabilities.zstd
      ? []
      : ['This Node has no zstd: sessions are compressed with deflate and grow faster. Node 22.19 has it.']),
    ...(capabilities.fullText
      ? []
      : ['This Node has no full-text search (FTS5): searching logs reads every line. Node 22.19 has it.']),
  ];
}

export interface Codec {
  /** Compressed bytes with their method in front; short input stays plain. */
  pack(bytes: Uint8Array, effort?: Effort): Uint8Array;
  /** What pack() was given. Throws when the bytes are damaged or the method is not there. */
  unpack(packed: Uint8Array): Uint8Array;
}

export function createCodec(capabilities: HostCapabilities): Codec {
  return {
    pack(bytes, effort = 'small') {
      if (bytes.length >= 32) {
        const method = capabilities.zstd ? zstdMethod : deflateMethod;
        const compressed = capabilities.zstd
          ? zlib.zstdCompressSync(bytes, { params: efforts[effort].zstd, pledgedSrcSize: bytes.length })
          : zlib.deflateRawSync(bytes, { level: efforts[effort].deflate });
        if (compressed.length < bytes.length) return prefixed(method, compressed);
      }
      return prefixed(plainMethod, bytes);
    },
    unpack(packed) {
      const body = packed.subarray(1);
      switch (packed[0]) {
        case plainMethod:
          return body;
        case zstdMethod:
          return zlib.zstdDecompressSync(body, { chunkSize: roomFor(body) });
        case deflateMethod:
          return zlib.inflateRawSync(body);
        default:
          throw new Error(`unknown compression method ${packed[0]} in a session file`);
      }
    },
  };
}

const leastRoom = 1024;
const mostRoom = 1024 * 1024;

/**
 * Bytes to set aside for what a zstd frame holds: in one piece it need not be put together from many. What the frame says
 * of its size is only taken as a hint; a damaged one could say anything.
 * Source: RFC 8878, section 3.1.1.1.
 */
function roomFor(frame: Uint8Array): number {
  const descriptor = frame[4] ?? 0;
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const sizeFlag = descriptor >> 6;
  if (frame.length < at + 8 || (sizeFlag === 0 && !isSingleSegment)) return leastRoom * 16;
  const view = new DataView(frame.buffer, frame.byteOffset + at);
  const size =
    sizeFlag === 0
      ? view.getUint8(0)
      : sizeFlag === 1
        ? view.getUint16(0, true) + 256
        : sizeFlag === 2
          ? view.getUint32(0, true)
          : Number(view.getBigUint64(0, true));
  // One byte more than is needed: a piece that is full asks for another.
  return Math.min(mostRoom, Math.max(leastRoom, size + 1));
}

function prefixed(method: number, body: Uint8Array): Uint8Array {
  const packed = new Uint8Array(body.length + 1);
  packed[0] = method;
  packed.set(body, 1);
  return packed;
}
