// The RPC page: the list of database functions, a form for the one in the URL, and its response.
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { SquareFunction } from 'lucide-react'
import { Button } from '../../../widgets/button.tsx'
import { Select } from '../../../widgets/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/state.tsx'
import { useTitle } from '../../hooks.ts'
import { PageHead } from '../../shell/page.tsx'
import styles from './rpc.module.css'
import type { RpcFunction } from '../../../../services/workbench/functions/index.ts'
import { RpcView } from './rpc-view.tsx'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import { useClient } from '../../../react/index.ts'
import { isLoading, usePageRequest, valueOf } from '../../use-page-request.ts'
import { explainFailure } from '../../../../services/workbench/rest/index.ts'
import { loadSchema } from '../../../../services/workbench/schema/index.ts'
import { useConnected } from '../../connected-context.ts'

/** A function known only by name is called with JSON. */
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
      <EmptyState icon={<SquareFunction size={22} aria-hidden />} title={`Function ${name} not found`}>
        It does not exist, or your role may not call it. Choose a function from the list.
      </EmptyState>
    )
  return <RpcView key={name} about={found ?? unknown(name)} />
}

/** `/rpc` lists, `/rpc/name` calls. */
export function RpcPage() {
  const { name } = useParams({ strict: false }) as { readonly name?: string }
  const client = useClient()
  const { schemaFile: file } = useConnected()
  const functions = usePageRequest(['functions', file], (_data, signal) =>
    readFunctions(client, file, signal),
  )
  const { data, failure, reload } = functions
  useTitle(name ?? 'Database functions')
  const list = data ?? []
  const isHidden = data === null
  return (
    <>
      <PageHead title="Database functions" note="Runs as you: grants and RLS apply." />
      {isLoading(functions) ? <Skeleton label="Loading functions" /> : null}
      {failure && data === undefined ? (
        <ErrorState
          title="Could not load the list of functions"
          action={<Button onPress={reload}>Try again</Button>}
        >
          {explainFailure(failure).message} {explainFailure(failure).retry ? 'Retrying automatically.' : ''}
        </ErrorState>
      ) : null}
      {data?.length === 0 ? (
        <EmptyState icon={<SquareFunction size={22} aria-hidden />} title="No functions you can call">
          Functions in the schema <code>public</code> that your role may execute are listed here.
        </EmptyState>
      ) : null}
      {isHidden && name === undefined ? (
        <EmptyState
          icon={<SquareFunction size={22} aria-hidden />}
          title="This backend does not list its functions"
        >
          You can still call a function by its name in the URL: <code>/rpc/name</code>.
        </EmptyState>
      ) : null}
      {list.length > 0 || (isHidden && name !== undefined) ? (
        <div className={styles.columns}>
          {list.length > 0 ? (
            <>
              <FunctionList list={list} />
              <FunctionPicker list={list} name={name} />
            </>
          ) : null}
          {name === undefined ? (
            <EmptyState icon={<SquareFunction size={22} aria-hidden />} title="Choose a function">
              Its arguments appear as a form.
            </EmptyState>
          ) : (
            <Chosen list={list} name={name} />
          )}
        </div>
      ) : null}
    </>
  )
}

/** Null when the backend does not list its functions. */
async function readFunctions(
  client: ChartroomClient,
  file: string | undefined,
  signal: AbortSignal,
): Promise<readonly RpcFunction[] | null> {
  const value = valueOf(await loadSchema(client, 'public', { file, signal }))
  return value.phase === 'known' ? value.functions : null
}
