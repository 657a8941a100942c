// Menu with all tabs, shown if the tab line is too narrow for them.
import { ChevronDown } from 'lucide-react'
import { useContext, useEffect, useState, type RefObject } from 'react'
import { Button, Menu, MenuItem, MenuTrigger, Popover, TabListStateContext } from 'react-aria-components'
import { cx } from './cx.ts'
import popover from './popover.module.css'
import select from './select.module.css'
import square from './square.module.css'
import styles from './tabs.module.css'

export interface TabsMoreProps {
  /** The scrolling tab list. */
  readonly line: RefObject<HTMLDivElement | null>
  readonly label: string
  readonly tabs: readonly (readonly [id: string, title: string])[]
}

/** Renders nothing while all tabs are visible. Scrolls the selected tab into view if not. */
export function TabsMore({ line, label, tabs }: TabsMoreProps) {
  const state = useContext(TabListStateContext)
  const chosen = state?.selectedKey
  const isCut = useCut(line, tabs.length)
  useEffect(() => {
    if (isCut && chosen !== undefined && line.current) showChosen(line.current)
  }, [line, chosen, isCut])
  if (!isCut || !state) return null
  return (
    <MenuTrigger>
      <Button aria-label={`All tabs: ${label}`} className={cx(square.square, styles.more)}>
        <ChevronDown size={13} aria-hidden />
      </Button>
      <Popover placement="bottom end" className={cx(popover.popover, select.popover)}>
        <Menu
          aria-label={`All tabs: ${label}`}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={chosen === null || chosen === undefined ? [] : [chosen]}
          onAction={key => state.setSelectedKey(key)}
          className={cx(select.list)}
        >
          {tabs.map(([id, title]) => (
            <MenuItem key={id} id={id} className={cx(select.item)}>
              {title}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

/** Scrolls only the tab line, as far as the selected tab needs. */
function showChosen(line: HTMLElement): void {
  const tab = line.querySelector('[role=tab][aria-selected=true]')
  if (!tab) return
  const [own, seen] = [tab.getBoundingClientRect(), line.getBoundingClientRect()]
  if (own.left < seen.left) line.scrollLeft -= seen.left - own.left
  else if (own.right > seen.right) line.scrollLeft += own.right - seen.right
}

/** Whether tabs are hidden; sets `data-cut` on the line, which fades out at the cut ends. */
function useCut(line: RefObject<HTMLDivElement | null>, count: number): boolean {
  const [isCut, setCut] = useState(false)
  useEffect(() => {
    const list = line.current
    if (!list) return
    const look = () => {
      const hidden = list.scrollWidth - list.clientWidth
      const [before, after] = [list.scrollLeft > 1, list.scrollLeft < hidden - 1]
      list.dataset['cut'] = `${before ? 'before' : ''}${after ? 'after' : ''}`
      setCut(hidden > 1)
    }
    const sizes = new ResizeObserver(() => {
      showChosen(list)
      look()
    })
    // When the line gets the focus, the tabs component restores its scroll position; this runs after that.
    const { ownerDocument } = list
    const come = ({ target }: FocusEvent) => {
      if (target instanceof Node && list.contains(target)) showChosen(list)
    }
    sizes.observe(list)
    list.addEventListener('scroll', look, { passive: true })
    ownerDocument.addEventListener('focusin', come)
    return () => {
      sizes.disconnect()
      list.removeEventListener('scroll', look)
      ownerDocument.removeEventListener('focusin', come)
    }
  }, [line, count])
  return isCut
}
