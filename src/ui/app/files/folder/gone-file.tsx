// Notice for a URL to a file that is not in its folder.
import { Button } from '../../../widgets/button.tsx'
import { Notice } from '../../shell/page.tsx'
import styles from '../files.module.css'

export function GoneFile({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <div className={styles.stale}>
      <Notice>
        There is no file “{name}” in this folder: it was moved, renamed or deleted, or is not visible to you.{' '}
        <Button size="s" onPress={onClose}>
          Close
        </Button>
      </Notice>
    </div>
  )
}
