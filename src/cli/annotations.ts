// Annotations of GitHub Actions: workflow commands that mark the files with problems.
import { isAbsolute, relative, resolve } from 'node:path'
import type { FileResult } from './file-report.ts'
import { oneLine } from './print.ts'

/** GitHub shows this many errors per step, and drops the others silently. */
const SHOWN = 10

/**
 * Formats a command per problem, with the number of files that have it; if there are too many, the last one
 * counts the others.
 */
export function annotations(command: string, results: readonly FileResult[]): string[] {
  const problems = [...problemsOf(results).values()]
  const shown = problems.length > SHOWN ? problems.slice(0, SHOWN - 1) : problems
  const rest = problems.slice(shown.length)
  const lines = shown.map(([first, ...others]) => {
    const more = others.length === 0 ? [] : [`and ${others.length} more with this problem`]
    const properties = { file: pathOf(first.file), title: `chartroom ${command}: ${first.outcome}` }
    return errorLine(properties, [...first.lines, ...more].map(oneLine).join('\n'))
  })
  if (rest.length === 0) return lines
  const files = rest.reduce((sum, found) => sum + found.length, 0)
  const message = `${files} more files with ${rest.length} other problems: see the report`
  return [...lines, errorLine({ title: `chartroom ${command}` }, message)]
}

type Files = [first: FileResult, ...others: FileResult[]]

/** The files that failed, by problem, in the order of the files. */
export function problemsOf(results: readonly FileResult[]): Map<string, Files> {
  const problems = new Map<string, Files>()
  for (const result of results.filter(({ code }) => code !== 0)) {
    const key = `${result.outcome}: ${result.problem}`
    const known = problems.get(key)
    if (known) known.push(result)
    else problems.set(key, [result])
  }
  return problems
}

/** GitHub expects paths from the root of the repository. */
function pathOf(file: string): string {
  const workspace = process.env['GITHUB_WORKSPACE']
  if (workspace === undefined) return file
  const path = relative(workspace, resolve(file))
  return path.startsWith('..') || isAbsolute(path) ? file : path.replaceAll('\\', '/')
}

function errorLine(properties: Readonly<Record<string, string>>, message: string): string {
  const named = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(value)}`)
  return `::error ${named.join(',')}::${escaped(message)}`
}

const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapedProperty = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
