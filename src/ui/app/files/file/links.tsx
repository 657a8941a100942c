// Links to share a file: signed links that expire, and the public link in a public bucket.
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../../../react/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { CopyButton } from '../../../widgets/copy-button.tsx'
import { Select } from '../../../widgets/select.tsx'
import { toLocalTime } from '../../../../services/workbench/table/index.ts'
import { useData } from '../../database.ts'
import { explainCall } from '../../../../services/workbench/rest/index.ts'
import { useClock } from '../../hooks.ts'
import { copyText } from '../../shell/copy-text.ts'
import { wallTime } from '../../../../services/workbench/text/index.ts'
import { addressed } from '../../../../services/workbench/files/index.ts'
import styles from './pane.module.css'

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

export interface LinksProps {
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
            Anyone with the link can download the file until{' '}
            {toLocalTime(signed.until.toISOString()).replace('T', ' ')}. It can’t be revoked.
          </p>
        </>
      )}
    </>
  )
}

/** Signed links are created on request and stored nowhere else. */
export function Links({ bucket, path, isPublic }: LinksProps) {
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
