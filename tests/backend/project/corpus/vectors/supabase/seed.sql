insert into public.pages (path) values ('/tides');
insert into public.sections (page_id, content, embedding) values (1, 'High tide', '[1,0,0]'), (1, 'Low tide', '[0,1,0]');
