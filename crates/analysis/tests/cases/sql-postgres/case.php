<?php
pg_query($c, 'INSERT INTO a (x) VALUES ($1) ON CONFLICT (x) DO UPDATE SET x = 2 RETURNING i');
pg_query('SELECT * FROM "B" FOR UPDATE');
