// Evaluates an expression in another process with a given time zone and locale: both are fixed when a process starts.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface ProcessPlace {
  readonly zone?: string
  /** As `de_DE`. */
  readonly locale?: string
}

/** @param module path from the root, whose exports the expression uses as `its`; `input` is what it gets */
export async function evaluateIn(
  { zone = 'UTC', locale = 'en_US' }: ProcessPlace,
  module: string,
  expression: string,
  input: unknown = null,
): Promise<unknown> {
  const url = new URL(`../../${module}`, import.meta.url).href
  const code = `
    const its = await import(${JSON.stringify(url)})
    const input = ${JSON.stringify(input)}
    process.stdout.write(JSON.stringify(${expression}))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', code],
    { env: { PATH: process.env['PATH'], TZ: zone, LC_ALL: `${locale}.UTF-8` } },
  )
  return JSON.parse(stdout)
}
