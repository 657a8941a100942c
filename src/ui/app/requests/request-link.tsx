// “What request was that?”: leads from an answer on a page to its request in the console.
import { Network } from 'lucide-react'
import { use, useCallback, type ReactNode } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import type { ChartroomClient } from '../../../index.ts'
import { useClient } from '../../react.ts'
import { CONSOLE_SEARCH } from '../console-search.ts'
import { RouterContext } from '../router-later.ts'
import { workRecordings } from '../work-recordings.ts'
import { jump } from './console-jump.ts'
import styles from './requests.module.css'

/** A function that opens the console at a request of a client, by the id that `onStart` told. */
function useShowRequest(by: ChartroomClient | undefined): (id: string) => void {
  // Not the page's own: the console stands beside the pages.
  const later = use(RouterContext)
  const own = useClient()
  return useCallback(
    (id: string) => {
      const actor = `client/requests/request.${id}`
      if (by && by !== own) return workRecordings(own).show(by.recording, { actor, view: 'network' })
      const gone = { [CONSOLE_SEARCH.at]: undefined, [CONSOLE_SEARCH.t]: undefined }
      const at = { [CONSOLE_SEARCH.actor]: actor, [CONSOLE_SEARCH.view]: 'network' }
      later.whenThere(router => {
        void router.navigate({
          to: '.',
          search: (search: object) => ({ ...search, ...gone, ...at }) as never,
          state: jump,
          resetScroll: false,
        })
      })
    },
    [later, own, by],
  )
}

const WHAT = 'What request was that?'

export interface RequestLinkProps {
  /** As `onStart` of `client.with` told it; nothing is shown without one. */
  readonly of: string | undefined
  /** Who sent it; the client in use unless told. */
  readonly by?: ChartroomClient | undefined
  /** Says of what, where several stand side by side. */
  readonly label?: string
  /** Called when it is shown, as for a dialog that would stand before it. */
  readonly onShow?: () => void
  /** A text beside the icon. */
  readonly children?: ReactNode
}

/** Opens the console at the request, with its states, attempts and times. */
export function RequestLink({ of, by, label = WHAT, onShow, children }: RequestLinkProps) {
  const show = useShowRequest(by)
  if (of === undefined) return null
  const act = () => {
    onShow?.()
    show(of)
  }
  if (children === undefined)
    return (
      <IconButton label={label} size="s" onPress={act}>
        <Network size={14} />
      </IconButton>
    )
  return (
    <button type="button" className={styles.link} title={label} onClick={act}>
      <Network size={13} aria-hidden />
      {children}
    </button>
  )
}
