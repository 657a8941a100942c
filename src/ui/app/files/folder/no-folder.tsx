// What stands in the place of a folder that no bucket can have.
import { Link } from '@tanstack/react-router'
import { FolderX } from 'lucide-react'
import { EmptyState } from '../../../widgets/state.tsx'

export function NoFolder({ bucket, path }: { readonly bucket: string; readonly path: string }) {
  return (
    <EmptyState
      isPage
      icon={<FolderX size={22} aria-hidden />}
      title={`No folder can be called “${path}”`}
      action={
        <Link to="/files/$bucket" params={{ bucket }} search={{}}>
          All of {bucket}
        </Link>
      }
    >
      The parts of a folder’s path have names, with one slash between them; “.” and “..” are none.
    </EmptyState>
  )
}
