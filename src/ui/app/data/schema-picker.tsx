// The schema picker: the schema in the URL, and the other exposed schemas, loaded on demand.
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import { describeSchema } from '../../../services/workbench/rest/index.ts'
import { usePageRequest, valueOf } from '../use-page-request.ts'
import { useTables, inSchema } from './tables.tsx'
import { useState } from 'react'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import styles from './data.module.css'

/** A name no schema has: the refusal lists the existing schemas. */
const UNSERVED = 'which schemas are there?'

function Schemas({
  schema,
  onChoose,
}: {
  readonly schema: string
  readonly onChoose: (name: string) => void
}) {
  const client = useClient()
  const { data } = usePageRequest(['schemas'], async (_data, signal) =>
    valueOf(await describeSchema(client, UNSERVED, signal)),
  )
  const served = data?.phase === 'unserved' ? data.served : []
  const names = [...new Set(['public', ...served, schema])]
  return (
    <Menu aria-label="Schema" className={cx(menu.items)} onAction={key => onChoose(String(key))}>
      {names.map(name => (
        <MenuItem key={name} id={name} textValue={name} className={cx(menu.item)}>
          {name}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Another schema opens its first table. */
export function SchemaPicker() {
  const { schema } = useTables()
  const navigate = useNavigate()
  const choose = (name: string) =>
    void navigate({ to: '/data', search: name === 'public' ? {} : { schema: name } })
  return (
    <MenuTrigger>
      <Button
        size="s"
        variant="quiet"
        aria-label={`Schema ${schema}`}
        icon={<ChevronDown size={12} aria-hidden />}
      >
        {schema}
      </Button>
      <Popover placement="bottom start" className={cx(menu.menu)}>
        <Schemas schema={schema} onChoose={choose} />
      </Popover>
    </MenuTrigger>
  )
}

/** A name field and a button. */
export function OpenTable() {
  const { remember, schema } = useTables()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const open = () => {
    const table = name.trim()
    if (table === '') return
    remember(table)
    setName('')
    void navigate({ to: '/data/$table', params: { table }, search: inSchema(schema) })
  }
  return (
    <Form className={styles.open} onSubmit={open} aria-label="Open a table">
      <TextField label="Table name" hideLabel placeholder="table name" mono value={name} onChange={setName} />
      <Button type="submit">Open</Button>
    </Form>
  )
}
