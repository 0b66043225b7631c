<?php
sort($_SESSION['list']);
