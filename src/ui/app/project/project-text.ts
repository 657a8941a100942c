// Texts about the states of a project's files.
import type { MigrationView, ProjectState } from '../../../services/workbench/project/index.ts'
import type { Tone } from '../../widgets/pill.tsx'

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

interface StateText {
  readonly label: string
  readonly tone: Tone
  /** What it means and what to do about it. */
  readonly note?: string
}

export const MIGRATION_TEXTS: Readonly<Record<MigrationView, StateText>> = {
  applied: { label: 'applied', tone: 'ok' },
  pending: { label: 'pending', tone: 'pending', note: 'Not applied yet.' },
  failed: { label: 'failed', tone: 'fail', note: 'Refused; see above.' },
  changed: { label: 'changed', tone: 'pending', note: 'Differs from what was applied. Reset to apply it.' },
  renamed: {
    label: 'renamed',
    tone: 'pending',
    note: 'The same SQL was applied under another version. Reset to record this one.',
  },
  missing: { label: 'file gone', tone: 'pending', note: 'Applied before. Reset to run without it.' },
  skipped: { label: 'skipped', tone: 'stale', note: 'Recorded as applied without running it.' },
}

export const SEED_TEXTS: Readonly<Record<ProjectState['seeds'][number]['state'], StateText>> = {
  applied: { label: 'applied', tone: 'ok' },
  pending: { label: 'pending', tone: 'pending', note: 'Runs after the migrations.' },
  changed: { label: 'changed', tone: 'pending', note: 'Differs from what was applied. Reset to apply it.' },
  added: { label: 'new', tone: 'pending', note: 'Seeds run once, on a new database. Reset to apply it.' },
  missing: { label: 'file gone', tone: 'pending', note: 'Applied before. Reset to run without it.' },
}

const ENGINES = { pglite: 'PGlite', postgres: 'PostgreSQL server', url: 'Your PostgreSQL' } as const

export const engineText = ({ engine: { name, version } }: ProjectState): string =>
  `${ENGINES[name]} ${version}`.trim()
