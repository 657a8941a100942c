// Tabs: one panel of several is shown.
import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import { cx } from './cx.ts'
import styles from './tabs.module.css'

export interface TabItem {
  readonly id: string
  readonly title: string
  readonly content: ReactNode
}

export interface TabsProps {
  readonly label: string
  readonly items: readonly TabItem[]
  readonly selected?: string
  readonly onSelect?: (id: string) => void
  /** Shown at the end of the tab line. */
  readonly aside?: ReactNode
}

/** A line of tabs over their panels; fills the height that it is given. */
export function Tabs({ label, items, selected, onSelect, aside }: TabsProps) {
  const chosen = selected === undefined ? {} : { selectedKey: selected }
  return (
    <AriaTabs {...chosen} onSelectionChange={key => onSelect?.(String(key))} className={cx(styles.tabs)}>
      <div className={styles.line}>
        <TabList aria-label={label} className={cx(styles.list)}>
          {items.map(item => (
            <Tab key={item.id} id={item.id} className={cx(styles.tab)}>
              {item.title}
            </Tab>
          ))}
        </TabList>
        {aside === undefined ? null : <div className={styles.aside}>{aside}</div>}
      </div>
      {items.map(item => (
        <TabPanel key={item.id} id={item.id} className={cx(styles.panel)}>
          {item.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
