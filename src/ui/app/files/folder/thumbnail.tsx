// A small picture of an image file; loads once its row has been in view for a moment.
import { File as FileIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type FileEntry, addressed, lookOf } from '../../../../services/workbench/files/index.ts'
import {
  type AnyDatabase,
  type AnyDataClient,
  explainCall,
} from '../../../../services/workbench/rest/index.ts'
import { keepByClient } from '../../../../services/workbench/storage/index.ts'
import { inertUrl } from '../../../../services/workbench/text/index.ts'
import { useClient, useRequest } from '../../../react/index.ts'
import { useHasElapsed } from '../../../widgets/time.ts'
import styles from './list.module.css'

/** Rows that only scroll past load nothing. */
const SETTLED_MS = 150
/** Smaller files load as they are; larger ones only if the backend makes them small. */
const SMALL_BYTES = 200_000
/** Side in pixels, for screens with two pixels to a point. */
const SIDE = 48

/** Whether a backend transforms images: not after it refused to before any transform worked. */
class TransformSupport {
  #works: boolean | undefined

  readonly isLikely = (): boolean => this.#works !== false

  readonly worked = (): void => {
    this.#works = true
  }

  readonly refused = (): void => {
    this.#works ??= false
  }
}

const transforms = keepByClient<TransformSupport>()

/** Whether an entry can have a thumbnail. */
export const isPicture = ({ name, type, isFolder }: FileEntry): boolean =>
  !isFolder && lookOf(name, type).kind === 'image'

function useSeen() {
  const ref = useRef<HTMLSpanElement>(null)
  const [isInView, setInView] = useState(false)
  const isSeen = useHasElapsed(isInView ? SETTLED_MS : undefined)
  useEffect(() => {
    const { current } = ref
    if (current === null || isSeen) return
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting === true))
    observer.observe(current)
    return () => observer.disconnect()
  }, [isSeen])
  return { ref, isSeen }
}

interface ThumbnailProps {
  readonly bucket: string
  readonly path: string
  readonly entry: FileEntry
}

/** The URL of the picture; undefined until it is there, and when there is none. */
function usePicture({ bucket, path, entry }: ThumbnailProps, isSeen: boolean): string | undefined {
  const client = useClient<AnyDatabase>()
  const { name, type, size = Infinity, changedAt } = entry
  const support = transforms.of(client, bucket, () => new TransformSupport())
  const isSmall = size <= SMALL_BYTES
  const isAsked = isSeen && (isSmall || support.isLikely())
  const { data } = useRequest(
    isAsked ? ['thumbnail', bucket, path, changedAt] : undefined,
    async (_data, signal): Promise<string | null> => {
      const { storage } = client.with({ signal, priority: 'low' }) as unknown as AnyDataClient
      const transform = { width: SIDE, height: SIDE, resize: 'cover' } as const
      const files = storage.from(bucket)
      const { data: blob, error } = await files.download(addressed(path), isSmall ? {} : { transform })
      if (blob === null) {
        const isRefused = !isSmall && !signal.aborted && !(await explainCall(error)).retry
        if (isRefused) support.refused()
        return null
      }
      if (!isSmall) support.worked()
      const mime = blob.type.startsWith('image/') && !isSmall ? blob.type : lookOf(name, type).mime
      const { url, revoke } = await inertUrl(blob, mime)
      if (signal.aborted) revoke()
      signal.addEventListener('abort', revoke)
      return url
    },
  )
  return data ?? undefined
}

/** The icon of a file stays where there is no picture, or one that the browser can't show. */
export function Thumbnail(props: ThumbnailProps) {
  const { ref, isSeen } = useSeen()
  const url = usePicture(props, isSeen)
  const [broken, setBroken] = useState<string>()
  return (
    <span ref={ref} className={styles.thumbnail}>
      {url === undefined || url === broken ? (
        <FileIcon size={15} aria-hidden />
      ) : (
        <img src={url} alt="" draggable={false} onError={() => setBroken(url)} />
      )}
    </span>
  )
}
