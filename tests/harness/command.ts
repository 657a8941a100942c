// Runs a CLI command within this process, and captures its output.
import { vi } from 'vitest'
import type { Run } from '../../src/cli/command.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Its output to each stream, and its exit code. */
export async function ran(command: Run, ...args: readonly string[]): Promise<Ran> {
  const written = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map(name =>
    vi.spyOn(process[name], 'write').mockImplementation(text => Boolean((written[name] += String(text)))),
  )
  try {
    const code = await command(args)
    return { code, out: written.stdout, err: written.stderr }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
