// The diagram on paper: the only thing that is printed.
import { useEffect, useMemo } from 'react'
import { createPortal } from 'react-dom'
import styles from './diagram.module.css'

export interface PrintImageProps {
  readonly svg: string
  readonly title: string
  readonly onPrinted: () => void
}

/** Opens the browser's print dialog once the image is there. */
export function PrintImage({ svg, title, onPrinted }: PrintImageProps) {
  const url = useMemo(() => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, [svg])
  useEffect(() => {
    addEventListener('afterprint', onPrinted)
    return () => removeEventListener('afterprint', onPrinted)
  }, [onPrinted])
  return createPortal(
    <img className={styles.paper} src={url} alt={title} onLoad={() => print()} onError={onPrinted} />,
    document.body,
  )
}
