// Runs a CLI command or a script within this process, and captures its output.
import { fileURLToPath } from 'node:url'
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

/** What a script prints to the console, and the exit code that it sets. */
export async function ranScript(script: () => Promise<unknown>): Promise<Ran> {
  const { exitCode } = process
  const printed = { log: '', error: '' }
  const spies = (['log', 'error'] as const).map(name =>
    vi.spyOn(console, name).mockImplementation((...words) => void (printed[name] += `${words.join(' ')}\n`)),
  )
  process.exitCode = 0
  try {
    await script()
    return { code: process.exitCode, out: printed.log, err: printed.error }
  } finally {
    process.exitCode = exitCode
    for (const spy of spies) spy.mockRestore()
  }
}

let imports = 0

/** Runs a file of `scripts` that reads its arguments when it is imported, as on a command line. */
export function ranFile(name: string, ...args: readonly string[]): Promise<Ran> {
  const { argv } = process
  const file = fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url))
  return ranScript(async () => {
    process.argv = [process.execPath, file, ...args]
    try {
      // Another query each time, since a module runs once.
      await import(/* @vite-ignore */ `${file}?run=${(imports += 1)}`)
    } finally {
      process.argv = argv
    }
  })
}
