import { useRouter } from '@tanstack/react-router'

export function useRefresh() {
  const router = useRouter()
  return () => void router.invalidate()
}
