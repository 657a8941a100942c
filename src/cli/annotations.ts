// Annotations of GitHub Actions: workflow commands that mark the files with problems.
import { isAbsolute, relative, resolve } from 'node:path'
import type { FileResult } from './file-report.ts'
import { oneLine } from '../trace/index.ts'

/** GitHub shows this many errors per step, and drops the others silently. */
const MAX_SHOWN = 10

/**
 * Formats a command per problem, with the number of files that have it; if there are too many, the last one
 * counts the others.
 */
export function annotations(command: string, results: readonly FileResult[]): string[] {
  const problems = [...problemsOf(results).values()]
  const shownProblems = problems.length > MAX_SHOWN ? problems.slice(0, MAX_SHOWN - 1) : problems
  const rest = problems.slice(shownProblems.length)
  const lines = shownProblems.map(([first, ...otherProblems]) => {
    const moreLine = otherProblems.length === 0 ? [] : [`and ${otherProblems.length} more with this problem`]
    const { file, line, column } = first.at ?? { file: first.file }
    const place = line === undefined ? {} : { line: String(line), col: String(column) }
    const properties = { file: pathOf(file), ...place, title: `chartroom ${command}: ${first.outcome}` }
    return errorLine(properties, [...first.lines, ...moreLine].map(oneLine).join('\n'))
  })
  if (rest.length === 0) return lines
  const files = rest.reduce((sum, group) => sum + group.length, 0)
  const message = `${files} more files with ${rest.length} other problems: see the report`
  return [...lines, errorLine({ title: `chartroom ${command}` }, message)]
}

type Files = [first: FileResult, ...others: FileResult[]]

/** The files that failed, by problem, in the order of the files. */
export function problemsOf(results: readonly FileResult[]): Map<string, Files> {
  const problems = new Map<string, Files>()
  for (const result of results.filter(({ code }) => code !== 0)) {
    const key = `${result.outcome}: ${result.problem}`
    const group = problems.get(key)
    if (group) group.push(result)
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

type Properties = Readonly<Record<string, string>>

const errorLine = (properties: Properties, message: string) => line('error', properties, message)

function line(level: 'error' | 'notice', properties: Properties, message: string): string {
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${escapedProperty(value)}`)
  return `::${level} ${pairs.join(',')}::${escaped(message)}`
}

/** Formats a command for what a change of the code means, which the page of a pull request shows. */
export const changeAnnotation = (level: 'error' | 'notice', title: string, message: string): string =>
  line(level, { title }, message)

export const ANNOTATIONS_FLAG = {
  type: 'string',
  value: 'KIND',
  about: 'github: also print the problems as annotations of GitHub Actions, the default there; or none',
  oneOf: ['github', 'none'],
} as const

/** Whether annotations are wanted: by the flag, or by the environment. */
export const isAnnotated = (flag: 'github' | 'none' | undefined): boolean =>
  (flag ?? (process.env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'none')) === 'github'

const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapedProperty = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
