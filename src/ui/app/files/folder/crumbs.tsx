// Breadcrumbs in a bucket, with links to parent folders and to the user's folder.
import { Link } from '@tanstack/react-router'
import { useStatus } from '../../../react/index.ts'
import styles from '../files.module.css'
import { crumbs } from '../../../../services/workbench/files/index.ts'

export interface FolderProps {
  readonly bucket: string
  readonly path: string
}

const useMe = () =>
  useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))

/** Links from all buckets to this folder; the user's folder has its own label. */
export function Crumbs({ bucket, path }: FolderProps) {
  const me = useMe()
  return (
    <span className={styles.crumbs}>
      <Link to="/files" search={{ all: true }}>
        Files
      </Link>
      <span aria-hidden>/</span>
      <Link to="/files/$bucket" params={{ bucket }} search={{}}>
        {bucket}
      </Link>
      {crumbs(path).map(crumb => (
        <span key={crumb.path} className={styles.crumb}>
          <span aria-hidden>/</span>
          <Link to="/files/$bucket" params={{ bucket }} search={{ path: crumb.path }} title={crumb.name}>
            {crumb.name === me ? 'My files' : crumb.name}
          </Link>
        </span>
      ))}
    </span>
  )
}

/** The user's folder by the usual convention; undefined when the path is inside it. */
export const useOwnFolder = (path: string): string | undefined => {
  const me = useMe()
  return path === me || path.startsWith(`${me}/`) ? undefined : me
}

/** A link to the user's folder, when the page is not inside it. */
export function MyFolder({ bucket, path }: FolderProps) {
  const own = useOwnFolder(path)
  if (own === undefined) return null
  return (
    <Link to="/files/$bucket" params={{ bucket }} search={{ path: own }} className={styles.myFolder}>
      My files
    </Link>
  )
}
