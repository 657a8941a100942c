// The Export tab: saves a run as a test, as steps, or as a file for another tool.
import { useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { ExportForm } from './export-form.tsx'
import styles from './checks.module.css'
import { StepsForm } from './steps-form.tsx'
import { TestForm } from './test-form.tsx'

const FORMS = [
  { id: 'test', title: 'Test', Form: TestForm },
  { id: 'steps', title: 'Steps', Form: StepsForm },
  { id: 'export', title: 'File', Form: ExportForm },
] as const

export function ExportTab() {
  const [form, setForm] = useState<string>('test')
  return (
    <Tabs
      orientation="vertical"
      selectedKey={form}
      onSelectionChange={key => setForm(String(key))}
      className={styles.keep ?? ''}
    >
      <TabList aria-label="Export as" className={styles.keepList ?? ''}>
        {FORMS.map(({ id, title }) => (
          <Tab key={id} id={id} className={styles.keepTab ?? ''}>
            {title}
          </Tab>
        ))}
      </TabList>
      {FORMS.map(({ id, Form }) => (
        <TabPanel key={id} id={id} className={styles.keepPanel ?? ''}>
          <Form />
        </TabPanel>
      ))}
    </Tabs>
  )
}
