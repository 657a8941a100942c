// The schema picker: the schema in the URL, and the other exposed schemas, loaded on demand.
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { useClient } from '../../react/index.ts'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import { exposedSchemas, probeTable } from '../../../services/workbench/rest/index.ts'
import { usePageRequest } from '../use-page-request.ts'
import { useTables, inSchema } from './tables.tsx'
import { useState } from 'react'
import { TextField } from '../../widgets/field.tsx'
import { Form } from '../../widgets/form.tsx'
import styles from './data.module.css'
import { TableListDialog } from './missing/table-list-dialog.tsx'

/** Not the name of a schema. */
const LIST = '\0list'

interface SchemasProps {
  readonly schema: string
  readonly onChoose: (name: string) => void
  /** Whether the user can change where the list of tables comes from. */
  readonly hasList: boolean
  readonly onList: () => void
}

function Schemas({ schema, onChoose, hasList, onList }: SchemasProps) {
  const client = useClient()
  const { data: served = [] } = usePageRequest(['schemas'], (_data, signal) => exposedSchemas(client, signal))
  const names = [...new Set(['public', ...served, schema])]
  const act = (key: string) => (key === LIST ? onList() : onChoose(key))
  return (
    <Menu aria-label="Schema" className={cx(menu.items)} onAction={key => act(String(key))}>
      {names.map(name => (
        <MenuItem key={name} id={name} textValue={name} className={cx(menu.item)}>
          {name}
        </MenuItem>
      ))}
      {hasList ? (
        <MenuItem id={LIST} textValue="Table list" className={cx(menu.item)}>
          Table list…
        </MenuItem>
      ) : null}
    </Menu>
  )
}

/** Another schema opens its first table. */
export function SchemaPicker() {
  const { schema, phase, source } = useTables()
  const navigate = useNavigate()
  const [isListOpen, setListOpen] = useState(false)
  const choose = (name: string) =>
    void navigate({ to: '/data', search: name === 'public' ? {} : { schema: name } })
  const hasList = phase === 'refused' || source === 'given'
  return (
    <>
      <SchemaMenu schema={schema} onChoose={choose} hasList={hasList} onList={() => setListOpen(true)} />
      {isListOpen ? <TableListDialog onClose={() => setListOpen(false)} /> : null}
    </>
  )
}

function SchemaMenu({ schema, ...rest }: SchemasProps) {
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
        <Schemas schema={schema} {...rest} />
      </Popover>
    </MenuTrigger>
  )
}

/** A name field and a button; the backend is asked whether the table exists. */
export function OpenTable({ label = 'Table name' }: { readonly label?: string }) {
  const { remember, schema } = useTables()
  const client = useClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [isAsking, setAsking] = useState(false)
  const [missing, setMissing] = useState<Missing>()
  const open = (table: string) => {
    remember(table)
    setName('')
    setMissing(undefined)
    void navigate({ to: '/data/$table', params: { table }, search: inSchema(schema) })
  }
  const ask = async () => {
    const table = name.trim()
    if (table === '') return setMissing({ message: 'Enter the name of a table or view.' })
    setAsking(true)
    const probe = await probeTable(client, { schema, table }, new AbortController().signal)
    setAsking(false)
    if (probe.isFound) open(table)
    else setMissing(probe)
  }
  return (
    <div className={styles.openTable}>
      <Form className={styles.open} onSubmit={() => void ask()} aria-label="Open a table">
        <TextField
          label={label}
          hideLabel
          placeholder="table name"
          mono
          value={name}
          error={missing?.message}
          onChange={text => {
            setName(text)
            setMissing(undefined)
          }}
        />
        <Button type="submit" isPending={isAsking}>
          Open
        </Button>
      </Form>
      <Nearest missing={missing} onOpen={open} />
    </div>
  )
}

interface Missing {
  readonly message: string
  readonly near?: string
}

/** The name that the backend suggests. */
function Nearest(props: { readonly missing: Missing | undefined; readonly onOpen: (table: string) => void }) {
  const near = props.missing?.near
  if (near === undefined) return null
  return (
    <Button size="s" onPress={() => props.onOpen(near)}>
      Open {near}
    </Button>
  )
}
