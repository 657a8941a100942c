insert into products (sku, name, price, attributes) values
  ('ROPE-1', '{"en": "Rope; 10 m", "de": "Seil"}', 19.99, '{"color": "blue"}'),
  (E'SAIL\'1', '{"en": "Small sail"}', 199, default),
  ($tag$BUOY$1$tag$, jsonb_build_object('en', $$Buoy's$$), 25.50, null);
