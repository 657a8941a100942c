// The project that the embedded backend runs: what was applied, what was not, and why.
import { FolderCode, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { needsReset, type ProjectState } from '../../../services/workbench/project/index.ts'
import { Button } from '../../widgets/button.tsx'
import { EmptyState, Skeleton } from '../../widgets/state.tsx'
import account from '../account/account.module.css'
import { Card } from '../account/card.tsx'
import { useTitle } from '../hooks.ts'
import { useTimeZone } from '../time-zone.ts'
import { Notice, PageBody, PageHead } from '../shell/page.tsx'
import { useProjectPath } from '../workspace.tsx'
import { ProjectFailureView } from './project-failure.tsx'
import { filesNote, Migrations, Seeds } from './project-files.tsx'
import { CronJobs, EdgeFunctions, MissingGrants, WithoutEffect } from './project-notes.tsx'
import { engineText, fileName } from './project-text.ts'
import styles from './project.module.css'
import { ResetDialog } from './reset-dialog.tsx'
import { useProject } from './use-project.ts'
import { formatTime } from '../../../services/workbench/text/index.ts'

/** The page. */
export function ProjectPage() {
  useTitle('Project')
  useTimeZone()
  const path = useProjectPath()
  return path === undefined ? <NoProject /> : <Project path={path} />
}

function NoProject() {
  return (
    <EmptyState icon={<FolderCode size={22} aria-hidden />} title="No project" isPage>
      This page is for a backend that was started with <code>--project DIR</code>.
    </EmptyState>
  )
}

function Project({ path }: { readonly path: string }) {
  const { project, isLost, isResetting, resetFailure, store } = useProject(path)
  const [isAsking, setAsking] = useState(false)
  const ask = () => setAsking(true)
  return (
    <>
      <PageHead title="Project" note={project && `${project.name} · ${filesNote(project)}`}>
        {project?.canReset ? (
          <Button icon={<RotateCcw size={14} aria-hidden />} isPending={isResetting} onPress={ask}>
            Reset…
          </Button>
        ) : null}
      </PageHead>
      <PageBody>
        <div className={styles.page}>
          {isResetting ? (
            <Notice>Resetting: deleting the data and applying all files…</Notice>
          ) : isLost ? (
            <Notice tone="fail">
              {project
                ? 'The backend does not respond; below is what it said last. Trying again…'
                : 'The backend does not respond. Trying again…'}
            </Notice>
          ) : null}
          {resetFailure === undefined ? null : (
            <Notice tone="fail">
              The reset failed: {resetFailure}{' '}
              <Button size="s" onPress={store.dismissReset}>
                Close
              </Button>
            </Notice>
          )}
          {project ? (
            <Known project={project} onReset={ask} />
          ) : isLost ? null : (
            <Skeleton label="Reading the project" />
          )}
        </div>
      </PageBody>
      {isAsking && project ? (
        <ResetDialog project={project} onReset={store.reset} onClose={() => setAsking(false)} />
      ) : null}
    </>
  )
}

interface KnownProps {
  readonly project: ProjectState
  readonly onReset: () => void
}

function Known({ project, onReset }: KnownProps) {
  const { failure } = project
  return (
    <>
      {failure ? <ProjectFailureView failure={failure} /> : null}
      <Differences project={project} onReset={onReset} />
      <div className={styles.columns}>
        <div className={account.column}>
          <Migrations project={project} />
          <Seeds project={project} />
        </div>
        <div className={account.column}>
          <Facts project={project} />
          <MissingGrants project={project} />
          <EdgeFunctions project={project} />
          <CronJobs project={project} />
          <WithoutEffect project={project} />
        </div>
      </div>
    </>
  )
}

/** What the data lacks until a reset. */
function Differences({ project, onReset }: KnownProps) {
  const { changedSections, canReset } = project
  if (!needsReset(project)) return null
  return (
    <Notice>
      <span>
        {changedSections.length > 0
          ? `config.toml changed (${changedSections.join(', ')}): ${canReset ? 'reset, or restart the backend,' : 'restart the backend'} to apply it.`
          : 'The files are no longer those that were applied.'}
      </span>
      {canReset ? (
        <Button size="s" onPress={onReset}>
          Reset…
        </Button>
      ) : null}
    </Notice>
  )
}

function Facts({ project }: { readonly project: ProjectState }) {
  const { folder, dataDir, lastApplied, phase } = project
  const [first = ''] = lastApplied?.files ?? []
  const count = lastApplied?.files.length ?? 0
  return (
    <Card title="Backend">
      <dl className={account.facts}>
        <dt>Folder</dt>
        <dd>
          <code>{folder}</code>
        </dd>
        <dt>Database</dt>
        <dd>{engineText(project)}</dd>
        <dt>Data</dt>
        <dd>{dataDir === null ? 'in memory, lost when the backend stops' : <code>{dataDir}</code>}</dd>
        <dt>Applied</dt>
        <dd>
          <output>
            {phase === 'applying' ? 'applying…' : phase === 'resetting' ? 'resetting…' : ''}
            {phase === 'ready' && lastApplied
              ? `${count === 1 ? fileName(first) : `${count} files`} at ${formatTime(lastApplied.at)}`
              : ''}
            {phase === 'ready' && !lastApplied ? 'files are applied as they are saved' : ''}
          </output>
        </dd>
      </dl>
    </Card>
  )
}
