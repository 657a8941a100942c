// The QR code that an authenticator app scans.
import { useEffect, useState } from 'react'
import { Skeleton } from '../../../widgets/state.tsx'
import styles from '../account.module.css'
import type { QrPath } from '../../../../services/workbench/accounts/index.ts'

/** Dark on light in both themes, as cameras expect. */
export function QrCode({ text }: { readonly text: string }) {
  const [qr, setQr] = useState<QrPath | 'failed'>()
  useEffect(() => {
    let current = true
    import('../../../../services/workbench/accounts/qr-path.ts').then(
      ({ qrPath }) => {
        if (current) setQr(qrPath(text))
      },
      () => {
        if (current) setQr('failed')
      },
    )
    return () => {
      current = false
    }
  }, [text])
  if (qr === undefined) return <Skeleton rows={4} label="Drawing the QR code" />
  if (qr === 'failed')
    return <p className={styles.text}>The QR code could not be drawn. Enter the key below by hand.</p>
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${qr.size} ${qr.size}`}
      shapeRendering="crispEdges"
      className={styles.qr}
    >
      <rect width={qr.size} height={qr.size} fill="white" />
      <path d={qr.path} fill="black" />
    </svg>
  )
}
