// Runs a script with options: what is wrong with them is said with the usage, and the outcome is the exit code.

/**
 * @param read the options, or what is wrong with them; may throw, as `parseArgs` does.
 * @param run its result is the exit code; 2 is kept for wrong usage.
 */
export async function runScript<Flags extends { readonly help: boolean }>(
  usage: string,
  read: () => Flags | string,
  run: (flags: Flags) => Promise<number>,
): Promise<void> {
  const flags = readOr(read)
  if (typeof flags === 'string') {
    console.error(`${flags}\n\n${usage}`)
    process.exitCode = 2
  } else if (flags.help) console.log(usage)
  else process.exitCode = await run(flags)
}

function readOr<Flags>(read: () => Flags | string): Flags | string {
  try {
    return read()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
