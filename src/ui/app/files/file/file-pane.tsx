// File pane: preview, details, links and actions.
import { Copy, Download, FolderInput, Pencil, Trash2, X, Link2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { useData } from '../../database.ts'
import {
  formatCount,
  wallTime,
  formatSize,
  formatDateTime,
} from '../../../../services/workbench/text/index.ts'
import { CopyAsMenu } from '../../requests/copy-as-menu.tsx'
import type { FileAction } from '../folder/row-actions.tsx'
import {
  addressed,
  type Bucket,
  downloadSpec,
  type FileEntry,
  joinPath,
} from '../../../../services/workbench/files/index.ts'
import styles from './pane.module.css'
import { FilePreview } from './preview.tsx'
import { useClient, useRequest } from '../../../react/index.ts'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { Select } from '../../../widgets/select.tsx'
import { type AnyDataClient, explainCall } from '../../../../services/workbench/rest/index.ts'
import { useClock } from '../../hooks.ts'
import { copyText } from '../../shell/copy-text.ts'

export interface FilePaneProps {
  readonly bucket: string
  readonly known: Bucket | undefined
  readonly path: string
  readonly entry: FileEntry
  readonly onAction: (action: FileAction, entry: FileEntry) => void
  readonly onClose: () => void
}

type Facts = readonly (readonly [name: string, value: string])[]

/** Details missing from the listing; empty when the backend does not provide them. */
function useInfo(bucket: string, path: string, version: string | undefined): Facts {
  const { data } = useRequest(
    ['file info', bucket, path, version],
    async ({ storage }: AnyDataClient): Promise<Facts> => {
      const { data: info } = await storage.from(bucket).info(addressed(path))
      if (info === null) return []
      const own = Object.entries(info.metadata ?? {}).map(
        ([name, value]) => [name, JSON.stringify(value)] as const,
      )
      const facts: Facts = [
        ['Created', info.createdAt ? formatDateTime(info.createdAt) : ''],
        ['Caching', info.cacheControl ?? ''],
        ['ETag', info.etag ?? ''],
        ['Id', info.id ?? ''],
        ...own,
      ]
      return facts.filter(([, value]) => value !== '')
    },
  )
  return data ?? []
}

function Facts({ bucket, path, entry }: Pick<FilePaneProps, 'bucket' | 'entry'> & { readonly path: string }) {
  const more = useInfo(bucket, path, entry.changedAt)
  const facts: Facts = [
    ['Path', path],
    [
      'Size',
      entry.size === undefined ? 'unknown' : `${formatSize(entry.size)} (${formatCount(entry.size)} bytes)`,
    ],
    ['Type', entry.type ?? 'unknown'],
    ['Modified', entry.changedAt === undefined ? 'unknown' : formatDateTime(entry.changedAt)],
    ...more,
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const ACTIONS = [
  ['rename', 'Rename', Pencil],
  ['move', 'Move', FolderInput],
  ['copy', 'Copy to', Copy],
  ['delete', 'Delete', Trash2],
] as const

/** Escape closes it; focus stays in the grid. */
export function FilePane({ bucket, known, path, entry, onAction, onClose }: FilePaneProps) {
  const full = joinPath(path, entry.name)
  const spec = useCallback(() => downloadSpec(bucket, full), [bucket, full])
  const act = (action: FileAction) => () => onAction(action, entry)
  return (
    <aside className={styles.pane} aria-label={`File ${entry.name}`}>
      <div
        role="presentation"
        className={styles.inner}
        onKeyDown={event => {
          if (event.key === 'Escape') onClose()
        }}
      >
        <header className={styles.head}>
          <h2 className={styles.title} title={entry.name} dir="auto">
            {entry.name}
          </h2>
          <IconButton label="Close file" size="s" onPress={onClose}>
            <X size={15} />
          </IconButton>
        </header>
        <div className={styles.actions}>
          <Button
            size="s"
            variant="primary"
            icon={<Download size={14} aria-hidden />}
            onPress={act('download')}
          >
            Download
          </Button>
          {ACTIONS.map(([action, label, Icon]) => (
            <IconButton key={action} size="s" label={label} onPress={act(action)}>
              <Icon size={14} />
            </IconButton>
          ))}
          <CopyAsMenu spec={spec} />
        </div>
        <div className={styles.body}>
          <section aria-label="Preview" className={styles.preview}>
            <FilePreview key={full} bucket={bucket} path={full} entry={entry} />
          </section>
          <h3 className={styles.subtitle}>Details</h3>
          <Facts bucket={bucket} path={full} entry={entry} />
          <h3 className={styles.subtitle}>Links</h3>
          <Links key={full} bucket={bucket} path={full} isPublic={known?.isPublic === true} />
        </div>
      </div>
    </aside>
  )
}

const HOUR = 3600
const LIVES = [
  { id: '60', label: '1 minute' },
  { id: String(HOUR), label: '1 hour' },
  { id: String(24 * HOUR), label: '1 day' },
  { id: String(7 * 24 * HOUR), label: '1 week' },
  { id: String(365 * 24 * HOUR), label: '1 year' },
] as const

function Address({ url, label }: { readonly url: string; readonly label: string }) {
  return (
    <div className={styles.address}>
      <input
        readOnly
        value={url}
        aria-label={label}
        className={styles.url}
        onFocus={event => event.target.select()}
      />
      <CopyButton text={url} label={`Copy the ${label.toLowerCase()}`} copy={copyText} />
    </div>
  )
}

interface LinksProps {
  readonly bucket: string
  readonly path: string
  readonly isPublic: boolean
}

interface Signed {
  readonly url: string
  readonly until: Date
}

/** The token of a link; supabase-js may have broken the link's path. */
const tokenOf = (link: string): string => /[?&]token=([^&#]+)/.exec(link)?.[1] ?? ''

function SignedLink({ bucket, path }: Omit<LinksProps, 'isPublic'>) {
  const files = useData().storage.from(bucket)
  const { url } = useClient()
  const now = useClock()
  const [life, setLife] = useState<string>(String(HOUR))
  const [signed, setSigned] = useState<Signed>()
  const [failure, setFailure] = useState<string>()
  const [isPending, setPending] = useState(false)
  const sign = async () => {
    setPending(true)
    setFailure(undefined)
    const { data, error } = await files
      .createSignedUrl(addressed(path), Number(life))
      .catch((thrown: unknown) => ({ data: null, error: thrown }))
    setPending(false)
    if (data === null) return setFailure((await explainCall(error)).message)
    setSigned({
      url: `${url}/storage/v1/object/sign/${addressed(`${bucket}/${path}`)}?token=${tokenOf(data.signedUrl)}`,
      until: wallTime(now() + Number(life) * 1000),
    })
  }
  return (
    <>
      <div className={styles.sign}>
        <Select label="Expires in" options={LIVES} value={life} onChange={setLife} />
        <Button icon={<Link2 size={14} aria-hidden />} isPending={isPending} onPress={() => void sign()}>
          Create link
        </Button>
      </div>
      {failure === undefined ? null : (
        <p role="alert" className={styles.failed}>
          {failure}
        </p>
      )}
      {signed === undefined ? null : (
        <>
          <Address url={signed.url} label="Signed link" />
          <p className={styles.faint}>
            Anyone with the link can download the file until {formatDateTime(signed.until)}. It can’t be
            revoked.
          </p>
        </>
      )}
    </>
  )
}

/** Signed links are created on request and stored nowhere else. */
function Links({ bucket, path, isPublic }: LinksProps) {
  const { url } = useClient()
  return (
    <>
      {isPublic ? (
        <Address
          url={`${url}/storage/v1/object/public/${addressed(`${bucket}/${path}`)}`}
          label="Public link"
        />
      ) : null}
      <SignedLink bucket={bucket} path={path} />
    </>
  )
}
