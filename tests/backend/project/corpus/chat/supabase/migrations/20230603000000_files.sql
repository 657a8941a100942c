insert into storage.buckets (id, name, public, avif_autodetection, file_size_limit, allowed_mime_types)
values ('attachments', 'attachments', false, false, 1048576, array['text/plain']::text[]) on conflict (id) do nothing;
create policy "Read own folder" on storage.objects for select to authenticated
  using (bucket_id = 'attachments' and (storage.foldername(name))[1] = (select auth.uid()::text));
create policy "Write own folder" on storage.objects for insert to authenticated
  with check (bucket_id = 'attachments' and path_tokens[1] = (select auth.uid()::text) and storage.extension(name) = 'txt');
