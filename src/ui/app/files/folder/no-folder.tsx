// The page for a folder name that no bucket can have.
import { Link } from '@tanstack/react-router'
import { FolderX } from 'lucide-react'
import { EmptyState } from '../../../widgets/state.tsx'

export function NoFolder({ bucket, path }: { readonly bucket: string; readonly path: string }) {
  return (
    <EmptyState
      isPage
      icon={<FolderX size={22} aria-hidden />}
      title={`Invalid folder name “${path}”`}
      action={
        <Link to="/files/$bucket" params={{ bucket }} search={{}}>
          All of {bucket}
        </Link>
      }
    >
      A folder’s path consists of names separated by single slashes; “.” and “..” are not names.
    </EmptyState>
  )
}
