// Functions of the database: which there are, a form for the one in the address, and what it answers.
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { SquareFunction } from 'lucide-react'
import { Button } from '../../../widgets/button.tsx'
import { Select } from '../../../widgets/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/state.tsx'
import { useTitle } from '../../hooks.ts'
import { PageHead } from '../../shell/page.tsx'
import styles from './rpc.module.css'
import type { RpcFunction } from './rpc-functions.ts'
import { RpcView } from './rpc-view.tsx'
import { useFunctions } from './use-functions.ts'

/** A function of which nothing but the name is known is called with JSON. */
const unknown = (name: string): RpcFunction => ({ name, about: '', isReading: true, args: [] })

function FunctionList({ list }: { readonly list: readonly RpcFunction[] }) {
  return (
    <nav className={styles.list} aria-label="Database functions">
      <ul>
        {list.map(({ name, about }) => (
          <li key={name}>
            <Link to="/rpc/$name" params={{ name }} className={styles.item} activeProps={{ 'data-on': '' }}>
              <span className={styles.name}>{name}</span>
              {about === '' ? null : <span className={styles.about}>{about}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function FunctionPicker({
  list,
  name,
}: {
  readonly list: readonly RpcFunction[]
  readonly name: string | undefined
}) {
  const navigate = useNavigate()
  return (
    <span className={styles.picker}>
      <Select
        label="Function"
        options={list.map(each => ({ id: each.name, label: each.name }))}
        value={name ?? null}
        onChange={next => void navigate({ to: '/rpc/$name', params: { name: next } })}
      />
    </span>
  )
}

function Chosen({ list, name }: { readonly list: readonly RpcFunction[]; readonly name: string }) {
  const found = list.find(each => each.name === name)
  if (found === undefined && list.length > 0)
    return (
      <EmptyState icon={<SquareFunction size={22} aria-hidden />} title={`There is no function ${name}`}>
        It is not there, or your role may not call it. Choose one from the list.
      </EmptyState>
    )
  return <RpcView key={name} about={found ?? unknown(name)} />
}

/** `/rpc` lists, `/rpc/name` calls. */
export function RpcPage() {
  const { name } = useParams({ strict: false }) as { readonly name?: string }
  const { functions, reload } = useFunctions()
  useTitle(name ?? 'Database functions')
  const list = functions.phase === 'known' ? functions.list : []
  return (
    <>
      <PageHead
        title="Database functions"
        note="Called as you: policies and rights decide what they may do."
      />
      {functions.phase === 'loading' ? <Skeleton label="Loading the functions" /> : null}
      {functions.phase === 'failed' ? (
        <ErrorState
          title="The list of functions could not be loaded"
          action={<Button onPress={reload}>Try again</Button>}
        >
          {functions.message} It is tried again by itself.
        </ErrorState>
      ) : null}
      {functions.phase === 'known' && list.length === 0 ? (
        <EmptyState icon={<SquareFunction size={22} aria-hidden />} title="No functions that you may call">
          Functions of the schema <code>public</code> on which your role has the right to execute are listed
          here.
        </EmptyState>
      ) : null}
      {functions.phase === 'refused' && name === undefined ? (
        <EmptyState
          icon={<SquareFunction size={22} aria-hidden />}
          title="This backend keeps its list to itself"
        >
          A function can still be called by its name in the address: <code>/rpc/name</code>.
        </EmptyState>
      ) : null}
      {list.length > 0 || (functions.phase === 'refused' && name !== undefined) ? (
        <div className={styles.columns}>
          {list.length > 0 ? (
            <>
              <FunctionList list={list} />
              <FunctionPicker list={list} name={name} />
            </>
          ) : null}
          {name === undefined ? (
            <EmptyState icon={<SquareFunction size={22} aria-hidden />} title="Choose a function">
              Its arguments become a form.
            </EmptyState>
          ) : (
            <Chosen list={list} name={name} />
          )}
        </div>
      ) : null}
    </>
  )
}
