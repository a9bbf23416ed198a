import type { Entry } from '../entry.ts';
import { controls } from './controls.tsx';
import { data } from './data.tsx';
import { statements } from './statements.tsx';

export const entries: readonly Entry[] = [...controls, ...statements, ...data];
