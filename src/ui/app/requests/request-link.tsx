// Button that opens the request of a response in the console.
import { Network } from 'lucide-react'
import { useCallback, type ReactNode } from 'react'
import { IconButton } from '../../widgets/button.tsx'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { useClient } from '../../react/index.ts'
import { CONSOLE_SEARCH } from '../console-search.ts'
import { useConnected } from '../connected-context.ts'
import { workRecordings } from '../work-recordings.ts'
import { jump } from './console-jump.ts'
import styles from './requests.module.css'

/** Returns a function that opens the console at a client's request, by the id passed to `onStart`. */
function useShowRequest(by: ChartroomClient | undefined): (id: string) => void {
  // Keeps the page's location: the console is shown next to the page.
  const { router: later } = useConnected()
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

const WHAT = 'Show request'

export interface RequestLinkProps {
  /** The id passed to `onStart` of `client.with`; without one nothing is rendered. */
  readonly of: string | undefined
  /** The sender; defaults to the current client. */
  readonly by?: ChartroomClient | undefined
  /** Accessible name, if there are several on the page; begins with the text, if there is one. */
  readonly label?: string
  /** Whether the icon has its name next to it in wide windows. */
  readonly isNamed?: boolean
  /** Called on press, such as to close a dialog that would cover the console. */
  readonly onShow?: () => void
  /** Text next to the icon. */
  readonly children?: ReactNode
}

/** Opens the console at the request, with its states, attempts and timings. */
export function RequestLink({ of, by, label = WHAT, isNamed = false, onShow, children }: RequestLinkProps) {
  const show = useShowRequest(by)
  if (of === undefined) return null
  const act = () => {
    onShow?.()
    show(of)
  }
  if (children === undefined)
    return (
      <IconButton label={label} size="s" isNamed={isNamed} onPress={act}>
        <Network size={14} />
      </IconButton>
    )
  return (
    <button
      type="button"
      className={styles.link}
      title={label}
      {...(typeof children === 'string' && label.startsWith(children) && { 'aria-label': label })}
      onClick={act}
    >
      <Network size={13} aria-hidden />
      {children}
    </button>
  )
}
