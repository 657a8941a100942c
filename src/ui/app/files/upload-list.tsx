// What is being uploaded. No percentages: the browser does not tell how much of a request has left.
import { Check, Clock, TriangleAlert } from 'lucide-react'
import { Button } from '../../widgets/button.tsx'
import { Spinner } from '../../widgets/spinner.tsx'
import { formatSize } from '../format.ts'
import styles from './files.module.css'
import { uploadSummary, type Upload } from './uploads.ts'

const icon = (phase: Upload['phase']) => {
  switch (phase) {
    case 'waiting':
      return <Clock size={14} aria-label="waiting" />
    case 'sending':
      return <Spinner />
    case 'done':
      return <Check size={14} aria-label="uploaded" />
    case 'failed':
      return <TriangleAlert size={14} aria-label="failed" />
  }
}

/** Nothing while there is no upload. */
export function UploadList(props: { readonly uploads: readonly Upload[]; readonly onClear: () => void }) {
  const { uploads, onClear } = props
  if (uploads.length === 0) return null
  const isBusy = uploads.some(upload => upload.phase === 'waiting' || upload.phase === 'sending')
  return (
    <section className={styles.uploads} aria-label="Uploads">
      <header className={styles.uploadHead}>
        <output>{uploadSummary(uploads)}</output>
        {isBusy ? null : (
          <Button size="s" variant="quiet" onPress={onClear}>
            Clear
          </Button>
        )}
      </header>
      <ul>
        {uploads.map(upload => (
          <li key={upload.id} className={styles.upload} data-phase={upload.phase}>
            {icon(upload.phase)}
            <span className={styles.fileName} title={upload.name}>
              {upload.name}
            </span>
            <span className={styles.faint}>{formatSize(upload.size)}</span>
            {upload.message === undefined ? null : <span className={styles.why}>{upload.message}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
