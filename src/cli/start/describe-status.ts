// What the terminal says about a project: at the start, and after each change of its files.
import { styleText } from 'node:util'
import type { ProjectFollower } from '../../../backend/project/index.ts'
import { oneLine } from '../../trace/index.ts'

export type ProjectStatus = ReturnType<ProjectFollower['status']>

/** Lines about what changed between two states; none while files are being applied. */
export function describeChange(before: ProjectStatus, after: ProjectStatus): string[] {
  if (after.phase !== 'ready') return []
  return [
    ...(after.lastApplied && after.lastApplied.at !== before.lastApplied?.at
      ? describeApplied(after.lastApplied.files)
      : []),
    ...newWarnings(before, after),
    ...describeFailure(after, before),
  ]
}

const LISTED = 5

function describeApplied(files: readonly string[]): string[] {
  const mark = styleText('green', '✓')
  if (files.length > LISTED) return [`${mark} Applied ${files.length} files`]
  return files.map(file => `${mark} Applied ${oneLine(file)}`)
}

/** The refused statement with PostgreSQL's words, unless it was shown before. */
function describeFailure({ failure }: ProjectStatus, before?: ProjectStatus): string[] {
  if (!failure) return []
  const { file, line, message, excerpt } = failure
  if (JSON.stringify(failure) === JSON.stringify(before?.failure)) return []
  const place = file === null ? 'The project' : `${oneLine(file)}${line === null ? '' : `:${line}`}`
  const width = String(excerpt.at(-1)?.line ?? '').length
  return [
    `${styleText('red', '✗')} ${place}: ${oneLine(message)}`,
    ...excerpt.map(({ line: number, text }) => {
      const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${oneLine(text)}`
      return `  ${number === line ? row : styleText('dim', row)}`
    }),
    '  The backend runs without it. Save a corrected file to try again.',
  ]
}

/** What is different from what was applied, and needs the user. */
function warningsOf({ migrations, seeds, changedSections, canReset }: ProjectStatus): string[] {
  const remedy = canReset ? 'reset the data to apply it' : 'it is not applied again'
  return [
    ...migrations.flatMap(({ state, file, version }) => {
      if (state === 'changed') return [`${file ?? version} differs from what was applied; ${remedy}`]
      if (state === 'renamed') return [`${file ?? version} was applied under another version; ${remedy}`]
      return state === 'missing' ? [`Migration ${version} was applied, and its file is gone`] : []
    }),
    ...seeds.flatMap(({ state, file }) =>
      state === 'changed' || state === 'added'
        ? [`${file} changed since the database was seeded; ${remedy}`]
        : [],
    ),
    ...(changedSections.length === 0
      ? []
      : [
          `config.toml changed (${changedSections.join(', ')}); restart${canReset ? ', or reset,' : ''} to apply it`,
        ]),
  ]
}

function newWarnings(before: ProjectStatus, after: ProjectStatus): string[] {
  const shownWarnings = new Set(warningsOf(before))
  return describeWarnings(warningsOf(after).filter(text => !shownWarnings.has(text)))
}

const describeWarnings = (texts: readonly string[]): string[] =>
  texts.map(text => `${styleText('yellow', '!')} ${oneLine(text)}`)

/** The state at the start. */
export function describeStatus(status: ProjectStatus): string[] {
  return [
    ...(status.lastApplied ? describeApplied(status.lastApplied.files) : []),
    ...describeWarnings(warningsOf(status)),
    ...describeFailure(status),
  ]
}
