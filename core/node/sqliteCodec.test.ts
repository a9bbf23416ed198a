import { expect, test } from 'vitest';
import { createCodec } from './sqliteCodec.ts';

// Around each length at which a zstd frame writes its size otherwise, and past what is set aside at once.
test.each([0, 31, 32, 255, 256, 257, 65_791, 65_792, 70_000, 262_144, 1_048_577, 3_000_000])(
  '[SES25] %i bytes come back as they were',
  (length) => {
    const bytes = Buffer.alloc(length, 'session ');
    for (const zstd of [true, false]) {
      const codec = createCodec({ zstd, fullText: true });
      for (const effort of ['small', 'quick'] as const)
        expect(Buffer.compare(codec.unpack(codec.pack(bytes, effort)), bytes)).toBe(0);
    }
  },
);
