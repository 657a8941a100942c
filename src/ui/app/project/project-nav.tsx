// The section of the project in the navigation, which also tells the other pages what changed.
import { useLocation, useRouter } from '@tanstack/react-router'
import { FolderCode } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import type { ProjectState } from '../../../services/workbench/project/index.ts'
import { plural } from '../../../services/workbench/text/index.ts'
import { useAccounts } from '../accounts/accounts-provider.tsx'
import type { AppCommand } from '../commands/app-command.ts'
import { useAppCommands } from '../commands/use-app-commands.ts'
import { useTables } from '../data/tables.tsx'
import { notify } from '../shell/notify.ts'
import { Section } from '../shell/work.tsx'
import { fileName } from './project-text.ts'
import { useProject } from './use-project.ts'

/** Shown only for an embedded backend that follows a project. */
export function ProjectNav({ path }: { readonly path: string }) {
  const { project } = useProject(path)
  useProjectCommand()
  useReloads(project)
  useProjectNotices(project)
  useSignOutAfterReset(project)
  const isTroubled = project?.failure != null
  return (
    <Section
      to="/project"
      title="Project"
      icon={<FolderCode size={16} aria-hidden />}
      {...(isTroubled && { mark: 'failed' })}
    />
  )
}

/** Lists the tables again once files were applied. */
function useReloads(project: ProjectState | undefined): void {
  const { reload } = useTables()
  const at = project?.lastApplied?.at
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (at === undefined) return
    if (before.current !== undefined && before.current !== at) reload()
    before.current = at
  }, [at, reload])
}

const titleOf = (files: readonly string[]): string => {
  const [only = ''] = files
  return files.length === 1 ? `Applied ${fileName(only)}` : `Applied ${plural(files.length, 'file')}`
}

/** On other pages: the page of the project itself shows what happened. */
function useProjectNotices(project: ProjectState | undefined): void {
  const router = useRouter()
  const isOpen = useLocation({ select: ({ pathname }) => pathname === '/project' })
  const shown = useRef<ProjectState | undefined>(undefined)
  const failureNotice = useRef<() => void>(undefined)
  useEffect(() => {
    if (!project || project.phase !== 'ready') return
    const before = shown.current
    shown.current = project
    if (!before || isOpen) return
    const { failure, lastApplied } = project
    if (lastApplied && lastApplied.at !== before.lastApplied?.at)
      notify({ tone: 'ok', id: 'project', title: titleOf(lastApplied.files) })
    if (!failure) {
      failureNotice.current?.()
      failureNotice.current = undefined
    } else if (failure.message !== before.failure?.message || failure.file !== before.failure.file)
      failureNotice.current = notify({
        tone: 'fail',
        id: 'project.failure',
        title: failure.file === null ? 'The project has a problem' : `${fileName(failure.file)} was refused`,
        detail: failure.message,
        action: { label: 'Show', run: () => void router.navigate({ to: '/project' }) },
      })
  }, [project, isOpen, router])
  useEffect(() => {
    if (isOpen) failureNotice.current?.()
  }, [isOpen])
}

/** The users of the sessions are gone. */
function useSignOutAfterReset(project: ProjectState | undefined): void {
  const { list, signOut } = useAccounts()
  const resets = project?.resets
  const before = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (resets === undefined) return
    const isReset = before.current !== undefined && before.current !== resets
    before.current = resets
    if (isReset) for (const { id } of list) void signOut(id)
  }, [resets, list, signOut])
}

function useProjectCommand(): void {
  const router = useRouter()
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'go.project',
        title: 'Project',
        section: 'Go to',
        keys: ['G J'],
        words: 'migrations seeds config reset supabase folder',
        rank: 8,
        run: () => void router.navigate({ to: '/project' }),
      },
    ],
    [router],
  )
  useAppCommands(commands)
}
