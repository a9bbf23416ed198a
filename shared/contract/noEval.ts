import { z } from 'zod';

/** For pages whose policy forbids eval: zod would probe for it to compile schemas, and the console would report that. */
export function avoidEval(): void {
  z.config({ jitless: true });
}
