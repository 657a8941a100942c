// A quick look at a module, before the parser is loaded.

/** Whether the text of a module may make machines, or parts of them. */
export const mayHaveCalls = (code: string): boolean =>
  /\bxstate\b|\.(?:createMachine|createStateConfig|createAction|extend|provide)\b/.test(code)
