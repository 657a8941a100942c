// File pane: preview, details, links and actions.
import { Copy, Download, FolderInput, Pencil, Trash2, X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { Button, IconButton } from '../../../widgets/button.tsx'
import { toLocalTime } from '../../../../services/workbench/table/index.ts'
import { useData } from '../../database.ts'
import { formatCount } from '../../../../services/workbench/text/index.ts'
import { CopyAsMenu } from '../../requests/copy-as-menu.tsx'
import type { FileAction } from '../folder/row-actions.tsx'
import { Links } from './links.tsx'
import {
  addressed,
  type Bucket,
  downloadSpec,
  type FileEntry,
  joinPath,
} from '../../../../services/workbench/files/index.ts'
import styles from './pane.module.css'
import { FilePreview } from './preview.tsx'
import { formatSize } from '../../../../machines/index.ts'

export interface FilePaneProps {
  readonly bucket: string
  readonly known: Bucket | undefined
  readonly path: string
  readonly entry: FileEntry
  readonly onAction: (action: FileAction, entry: FileEntry) => void
  readonly onClose: () => void
}

const timeOf = (at: string): string => toLocalTime(at).replace('T', ' ')

type Facts = readonly (readonly [name: string, value: string])[]

/** Details missing from the listing; empty when the backend does not provide them. */
function useInfo(bucket: string, path: string, version: string | undefined): Facts {
  const data = useData()
  const [state, setState] = useState<{ readonly key: string; readonly facts: Facts }>()
  const key = `${bucket}/${path} ${version ?? ''}`
  useEffect(() => {
    let isOver = false
    void data.storage
      .from(bucket)
      .info(addressed(path))
      .catch(() => ({ data: null }))
      .then(({ data: info }) => {
        if (isOver || info === null) return
        const own = Object.entries(info.metadata ?? {}).map(
          ([name, value]) => [name, JSON.stringify(value)] as const,
        )
        const facts: Facts = [
          ['Created', info.createdAt ? timeOf(info.createdAt) : ''],
          ['Caching', info.cacheControl ?? ''],
          ['ETag', info.etag ?? ''],
          ['Id', info.id ?? ''],
          ...own,
        ]
        setState({ key, facts: facts.filter(([, value]) => value !== '') })
      })
    return () => {
      isOver = true
    }
  }, [data, bucket, path, key])
  return state?.key === key ? state.facts : []
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
    ['Modified', entry.changedAt === undefined ? 'unknown' : timeOf(entry.changedAt)],
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
