export { useShell as useHostShell } from '../client/useShell.ts';
