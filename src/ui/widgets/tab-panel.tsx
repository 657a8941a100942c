// The panel of the chosen tab. What the library has looks through the panel for something to focus at every change.
import {
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import { TabListStateContext, TabsContext } from 'react-aria-components'
import { cx } from './cx.ts'
import styles from './tabs.module.css'
import type { TabsProps } from './tabs.tsx'

/** How long a change inside may wait until it is looked at. */
const RESTS_MS = 300
const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'

/** Goes inside `Tabs`, after the list of tabs. */
export function TabPanel({ items }: Pick<TabsProps, 'items'>) {
  const chosen = useContext(TabListStateContext)?.selectedKey
  const item = items.find(({ id }) => id === chosen)
  if (!item) return null
  return (
    // Tabs inside would take these for their own.
    <TabsContext value={null}>
      <TabListStateContext value={null}>
        <Panel key={item.id}>{item.content}</Panel>
      </TabListStateContext>
    </TabsContext>
  )
}

function Panel({ children }: { readonly children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null)
  const hasFocusable = useHasFocusable(panel)
  // The names that the library gave; the list of tabs may become another one, with others.
  useLayoutEffect(() => {
    const element = panel.current
    const tab = element?.parentElement?.querySelector('[role=tab][aria-selected=true]')
    // To say the same again would cost as much as news.
    if (!element || !tab || element.getAttribute('aria-labelledby') === tab.id) return
    element.id = tab.getAttribute('aria-controls') ?? ''
    element.setAttribute('aria-labelledby', tab.id)
  })
  return (
    <div ref={panel} role="tabpanel" tabIndex={hasFocusable ? undefined : 0} className={cx(styles.panel)}>
      {children}
    </div>
  )
}

/** Whether something inside takes the focus: else the panel does, so that it can be scrolled by keyboard. */
function useHasFocusable(panel: RefObject<HTMLElement | null>): boolean {
  const [has, setHas] = useState(true)
  useEffect(() => {
    const element = panel.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      timer = undefined
      setHas(element.querySelector(FOCUSABLE) !== null)
    }
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(look, RESTS_MS)
    })
    look()
    observer.observe(element, { subtree: true, childList: true })
    return () => {
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [panel])
  return has
}
