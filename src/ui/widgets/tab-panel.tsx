// Panel of the selected tab. The library's own panel searches for focusable elements on every change.
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

/** Delay between a change inside and the search for focusable elements. */
const RESTS_MS = 300
const FOCUSABLE = 'a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'

/** Rendered inside `Tabs`, after the list of tabs. */
export function TabPanel({ items }: Pick<TabsProps, 'items'>) {
  const chosen = useContext(TabListStateContext)?.selectedKey
  const item = items.find(({ id }) => id === chosen)
  if (!item) return null
  return (
    // Nested tabs must not use these contexts.
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
  // Copies the ids that the library generated; a new list of tabs has new ids.
  useLayoutEffect(() => {
    const element = panel.current
    const tab = element?.parentElement?.querySelector('[role=tab][aria-selected=true]')
    // Setting the same attributes again would cost as much as a change.
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

/** Whether the content has a focusable element; if not, the panel is focusable for keyboard scrolling. */
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
