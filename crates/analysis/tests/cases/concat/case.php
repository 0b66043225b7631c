<?php
$q="UPDATE FaqPage SET page_num=$new_num WHERE ";
$q .= "page_num=$page_num AND owner_id=$id";
$result=mysql_query($q,$dbLink);
