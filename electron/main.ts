/** The desktop shell's main process. */
export {};
