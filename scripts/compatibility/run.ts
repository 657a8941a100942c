// Runs a program of a suite in the suite's folder.
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

/** Returns the program's output and exit code. Rejects if the program can't be started. */
export function runIn(
  folder: string,
  program: string,
  args: readonly string[],
): Promise<{ code: number; output: string; stdout: string }> {
  return new Promise((resolve, reject) => {
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const all: Buffer[] = []
    const out: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => void (all.push(chunk), out.push(chunk)))
    child.stderr.on('data', (chunk: Buffer) => void all.push(chunk))
    child.on('error', reject)
    child.on('close', code =>
      resolve({
        code: code ?? 1,
        output: Buffer.concat(all).toString(),
        stdout: Buffer.concat(out).toString(),
      }),
    )
  })
}
