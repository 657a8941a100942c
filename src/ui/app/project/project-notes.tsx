// What of a project is not the same as in production, and how to change that.
import type { ReactNode } from 'react'
import type { ProjectState } from '../../../services/workbench/project/index.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { Chip } from '../../widgets/pill.tsx'
import account from '../account/account.module.css'
import { Card } from '../account/card.tsx'
import { copyText } from '../shell/copy-text.ts'
import styles from './project.module.css'

interface ProjectProps {
  readonly project: ProjectState
}

function Block(props: { readonly title: string; readonly note?: ReactNode; readonly children?: ReactNode }) {
  return (
    <Card title={props.title}>
      {props.note === undefined ? null : <p className={account.text}>{props.note}</p>}
      {props.children}
    </Card>
  )
}

function Names({ names }: { readonly names: readonly string[] }) {
  return (
    <ul className={styles.list}>
      {names.map(name => (
        <li key={name}>
          <code>{name}</code>
        </li>
      ))}
    </ul>
  )
}

/** Text to copy, such as SQL or a command. */
function Snippet({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className={styles.snippet}>
      <div className={styles.code} role="group" aria-label={label}>
        <pre>{text}</pre>
      </div>
      <CopyButton text={text} label={`Copy ${label}`} copy={copyText} />
    </div>
  )
}

export function MissingGrants({ project: { missingGrants } }: ProjectProps) {
  if (!missingGrants) return null
  const { sql, tables, isExposedBySetting } = missingGrants
  return (
    <Block
      title="Missing grants"
      note={
        isExposedBySetting
          ? 'Only auto_expose_new_tables exposes these tables. Hosted projects need a GRANT, for example:'
          : `The API refuses ${tables.length === 1 ? 'one table' : `${tables.length} tables`} without GRANT (42501), as hosted projects do. To expose ${tables.length === 1 ? 'it' : 'them'}, add to a migration:`
      }
    >
      <Snippet text={sql} label="SQL" />
    </Block>
  )
}

export function EdgeFunctions({ project: { functions } }: ProjectProps) {
  const { names, deno, install, ignoredPrograms } = functions
  if (names.length === 0 && ignoredPrograms.length === 0) return null
  return (
    <Block
      title="Edge Functions"
      note={
        deno === null
          ? 'They are not run, so calls return 404. Install Deno outside of the project, then start again:'
          : `Run by Deno ${deno.version}`
      }
    >
      {deno === null ? <Snippet text={install} label="command" /> : null}
      <ul className={styles.list}>
        {names.map(name => (
          <li key={name}>
            <code>{name}</code>{' '}
            <Chip tone={deno === null ? 'stale' : 'ok'}>{deno === null ? 'not run' : 'runs'}</Chip>
          </li>
        ))}
      </ul>
      {ignoredPrograms.length === 0 ? null : (
        <p className={account.text}>
          Not run, because the project could have put it there: {ignoredPrograms.join(', ')}
        </p>
      )}
    </Block>
  )
}

export function CronJobs({ project: { jobs } }: ProjectProps) {
  if (jobs.length === 0) return null
  return (
    <Block title="Cron jobs">
      <ul className={styles.list}>
        {jobs.map(({ name, schedule, isActive }) => (
          <li key={name}>
            <span>{name}</span> <code className={account.text}>{schedule}</code>
            {isActive ? null : <Chip tone="stale">off</Chip>}
          </li>
        ))}
      </ul>
    </Block>
  )
}

export function WithoutEffect({ project: { notHonored, extensions, skippedFiles } }: ProjectProps) {
  return (
    <>
      {notHonored.length === 0 ? null : (
        <Block title="Settings without effect" note="Lines of config.toml that this backend does not use.">
          <Names names={notHonored} />
        </Block>
      )}
      {extensions.length === 0 ? null : (
        <Block
          title="Extensions in name only"
          note="They exist, so that the migrations run, but have none of their functions."
        >
          <ul className={styles.list}>
            {extensions.map(({ name, file }) => (
              <li key={`${name} ${file}`}>
                <code>{name}</code> <span className={account.text}>{file}</span>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {skippedFiles.length === 0 ? null : (
        <Block title="Skipped files" note="Migrations must be named <number>_<name>.sql.">
          <Names names={skippedFiles} />
        </Block>
      )}
    </>
  )
}
