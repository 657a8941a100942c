// Runs a script with options: prints usage errors with the usage text, and uses the result as the exit code.

/**
 * @param read returns the options, or a message about what is wrong with them; may throw, like `parseArgs`.
 * @param run returns the exit code; 2 is reserved for wrong usage.
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
